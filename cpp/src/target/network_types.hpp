// How the types of ONNX are called in a network of TensorRT.
#pragma once

#include <string_view>

#include <trtcheck/model.hpp>

#include "target/release_view.hpp"

namespace trtcheck {

/// "FP32" for FLOAT and DOUBLE, "INT32" for INT64 before 9.0, ...; empty for types that TensorRT does not have.
[[nodiscard]] std::string_view network_type_name(DataType type, const ReleaseView& release);

}  // namespace trtcheck
