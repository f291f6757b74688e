// Arithmetic of integer contents, element by element, as dims.
#pragma once

#include <optional>
#include <string_view>

#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

/// The result of an integer operator on two numbers; nothing when it cannot be followed.
using BinaryContent = std::optional<Dim> (*)(OpContext& op, Dim a, Dim b);
using UnaryContent = std::optional<Dim> (*)(OpContext& op, Dim a);

/// How an operator treats contents; nullptr when it does not.
[[nodiscard]] BinaryContent binary_content(std::string_view op_type) noexcept;
[[nodiscard]] UnaryContent unary_content(std::string_view op_type) noexcept;

/// The integer type holds this number. Products of sizes without bounds are taken to fit any type of 32 bits and more;
/// where there are bounds, and in narrow types, only what is proved to fit does.
[[nodiscard]] bool survives(OpContext& op, Dim dim, DataType type);

/// What the number can be, if a size without a bound is at most 65,536; in narrow types only what is proved.
[[nodiscard]] Interval usual_bounds(OpContext& op, Dim dim, DataType type);

/// Element by element with numpy broadcasting of vectors and scalars. Elements that cannot be followed become unknown.
/// Nothing when the lengths do not fit.
[[nodiscard]] std::optional<DimVector> combine(OpContext& op, BinaryContent content, std::span<const Dim> a,
                                               std::span<const Dim> b);

}  // namespace trtcheck::shapes
