// Questions that several shape functions ask.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

inline constexpr std::string_view kAxesUnknown = "the axes are computed at run time";

/// Records that both have to be equal; gives the one that says more (a literal, else an exact expression).
[[nodiscard]] Dim agreed(OpContext& op, Dim a, Dim b, std::string_view why);

/// Axes from an attribute or, when the operator has it at this opset, from an input.
struct Axes {
  bool given = false;                               ///< false: attribute and input left out
  std::optional<std::vector<std::int64_t>> values;  ///< nothing: given, but not known
  std::optional<std::size_t> count;                 ///< how many, when that is known
};
[[nodiscard]] Axes axes_of(OpContext& op, std::size_t input, bool from_input);

/// Normalised axes as one flag per axis; nothing after a conflict (out of range, or an axis twice). Where TensorRT
/// takes an axis that is listed twice, `twice_taken_as` says as what.
[[nodiscard]] std::optional<std::vector<bool>> axis_flags(OpContext& op, std::span<const std::int64_t> axes,
                                                          std::size_t rank, std::string_view twice_taken_as = {});

/// Sizes that an input's contents state, element by element: unknown ones when only their number is known.
[[nodiscard]] std::optional<DimVector> sizes_from(OpContext& op, std::size_t input, std::string_view reason);

/// `rank` unknown dims.
[[nodiscard]] DimVector unknown_dims(OpContext& op, std::size_t rank, std::string_view reason);

/// A dtype attribute; `fallback` when it is left out.
[[nodiscard]] DataType type_attribute(OpContext& op, std::string_view name, DataType fallback);

/// The element type of inputs that have to agree, from `first` to before `end`: that of the first one that is known.
/// Undefined where codes of 8 bits meet floating point numbers: strongly typed networks refuse it, and what others make
/// of it is not known.
[[nodiscard]] DataType common_type(OpContext& op, std::size_t first, std::size_t end);

/// Output 0 has the shape of input 0 and this element type.
void set_like_typed(OpContext& op, DataType type);

}  // namespace trtcheck::shapes
