// Arithmetic of float contents, exact or not at all: what is computed with sizes is followed as fractions of dims, what
// is computed with numbers is rounded as the type rounds.
#pragma once

#include <optional>
#include <string_view>

#include "shapes/number.hpp"
#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

/// What an operator makes of two elements of a float type; the dim of a boolean for comparisons.
using FloatBinary = std::optional<Dim> (*)(OpContext& op, DataType type, const Number& a, const Number& b);
using FloatUnary = std::optional<Number> (*)(OpContext& op, DataType type, const Number& a);

/// nullptr: the operator's contents are not followed.
[[nodiscard]] FloatBinary float_binary(std::string_view op_type) noexcept;
[[nodiscard]] FloatUnary float_unary(std::string_view op_type) noexcept;

/// Element by element, as `combine` does it for integers. Nothing when the lengths do not fit.
[[nodiscard]] std::optional<DimVector> combine_floats(OpContext& op, FloatBinary content, DataType type,
                                                      std::span<const Dim> a, std::span<const Dim> b);

/// An element of a float type as one of another float type; nothing when that cannot be followed.
[[nodiscard]] std::optional<Number> float_to_float(OpContext& op, DataType to, const Number& a);
[[nodiscard]] std::optional<Number> whole_to_float(OpContext& op, DataType to, Dim a);
/// Towards zero.
[[nodiscard]] Dim float_to_whole(OpContext& op, const Number& a);

}  // namespace trtcheck::shapes
