// Arithmetic of contents, element by element, as dims.
#pragma once

#include <optional>
#include <string_view>

#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

/// The result of an integer (or whole float) operator on two numbers; nothing when it cannot be followed.
using BinaryContent = std::optional<Dim> (*)(OpContext& op, Dim a, Dim b);
using UnaryContent = std::optional<Dim> (*)(OpContext& op, Dim a);

/// How an operator treats contents; nullptr when it does not.
[[nodiscard]] BinaryContent binary_content(std::string_view op_type) noexcept;
[[nodiscard]] UnaryContent unary_content(std::string_view op_type) noexcept;

/// The type holds this number exactly. Sizes are taken to fit any type of 32 bits and more; in narrow types only what
/// is proved to fit does.
[[nodiscard]] bool survives(OpContext& op, Dim dim, DataType type);

/// The type holds this number exactly. Sizes are taken to fit any type of 32 bits and more; in narrow types only what
/// is proved to fit does.
[[nodiscard]] bool survives(OpContext& op, Dim dim, DataType type);

/// Element by element with numpy broadcasting of vectors and scalars. Elements that cannot be followed become
/// unknown for integers; for floats, which need not be whole, nothing is known then.
[[nodiscard]] std::optional<DimVector> combine(OpContext& op, BinaryContent content, std::span<const Dim> a,
                                               std::span<const Dim> b, bool is_integer_result);

/// floor(x) of an input that a Div or Mul by a constant made out of sizes: `H * 0.5`, `H / 2`. Nothing when the
/// input is made otherwise.
[[nodiscard]] std::optional<DimVector> floor_of_quotient(OpContext& op, std::size_t input);

}  // namespace trtcheck::shapes
