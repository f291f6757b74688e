// Element types that a release knows.
#pragma once

#include <trtcheck/model.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck::rules {

/// True for element types that the parser converts for a network input (DOUBLE becomes FLOAT). Source: onnx-tensorrt
/// onnxProtoUtils convertDtype of 8.0 to 10.15.
bool is_network_type(DataType type, TrtVersion release) noexcept;

}  // namespace trtcheck::rules
