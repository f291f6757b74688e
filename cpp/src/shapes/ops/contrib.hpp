// What the operators of ONNX Runtime (com.microsoft and its kin) and the plugins of TensorRT often ask. Neither has a
// schema here, so every input may be missing.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>

#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

/// The output has the dims of an input and this element type.
void set_dims_of(OpContext& op, std::size_t output, std::size_t input, DataType type);

/// As `set_dims_of`, with another last axis.
void set_with_last(OpContext& op, std::size_t output, std::size_t input, DataType type, Dim last);

/// Output 0 is what these inputs broadcast to.
void set_broadcast_of(OpContext& op, DataType type, std::initializer_list<std::size_t> inputs);

/// A dim of an input, or an unknown one that stands on axis `to` of the output.
[[nodiscard]] Dim dim_or_unknown(OpContext& op, std::size_t input, std::size_t rank, std::size_t axis, std::int32_t to);

/// The size that an integer attribute states; nothing when it is left out or below 1.
[[nodiscard]] std::optional<Dim> size_attribute(OpContext& op, std::string_view name);

/// The one number that an input holds; nothing when it is not known.
[[nodiscard]] std::optional<Dim> number_in(OpContext& op, std::size_t input);

/// Runs the function of an operator that has its channels on axis 1, for a node that has them on the last one.
void infer_channels_last(OpContext& op, void (*infer)(OpContext&));

}  // namespace trtcheck::shapes
