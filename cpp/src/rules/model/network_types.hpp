// Element types that a release knows.
#pragma once

#include <string>
#include <string_view>

#include <trtcheck/model.hpp>

#include "target/release_view.hpp"

namespace trtcheck::rules {

/// True for element types that the parser converts for a network input (DOUBLE becomes FLOAT). Source: onnx-tensorrt
/// onnxProtoUtils convertDtype of 8.0 to 10.15.
bool is_network_type(DataType type, const ReleaseView& release);
inline constexpr GateSet kTypeGates{gates::uint8_network, gates::bfloat16_network, gates::int4_network,
                                    gates::float4_network};

/// What the release computes in: INT64 was INT32 before 9.0, DOUBLE is FLOAT in every release.
DataType network_type(DataType type, const ReleaseView& release);

/// What to do about a tensor of a type that the release does not know. `tensor`: "it", "`x`"
std::string type_remedy(DataType type, std::string_view tensor);

}  // namespace trtcheck::rules
