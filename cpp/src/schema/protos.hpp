// Our model's pieces as protobuf messages of the onnx library and back. Private to this floor.
#pragma once

#include <optional>
#include <span>

#include <onnx/onnx_pb.h>

#include "schema/fallback.hpp"

namespace trtcheck::schema {

/// Graphs and types in attributes are left out.
[[nodiscard]] onnx::AttributeProto to_proto(const Model& model, const Attribute& attribute);
[[nodiscard]] onnx::TypeProto type_proto(const CarriedValue& value);
[[nodiscard]] onnx::TensorShapeProto shape_proto(std::span<const CarriedDim> dims);
/// Contents as a tensor: small constants of the file, or known numbers.
[[nodiscard]] std::optional<onnx::TensorProto> data_proto(const Model& model, const CarriedValue& value);
[[nodiscard]] CarriedValue carried(const onnx::TypeProto& type);

}  // namespace trtcheck::schema
