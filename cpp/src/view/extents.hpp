// Sizes of tensors as plain numbers, where they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <trtcheck/shapes.hpp>

namespace trtcheck {

using Count = std::optional<std::int64_t>;

/// Nothing when either is missing, or beyond 63 bits.
[[nodiscard]] inline Count product(Count a, Count b) noexcept {
  std::int64_t result = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &result)) return std::nullopt;
  return result;
}

/// Nothing where it leaves a remainder.
[[nodiscard]] inline Count quotient(Count a, std::int64_t divisor) noexcept {
  if (!a || divisor <= 0 || *a % divisor != 0) return std::nullopt;
  return *a / divisor;
}

/// The size of one axis, when it is a number.
[[nodiscard]] inline Count extent(const ValueShape& shape, std::size_t axis) noexcept {
  if (!shape.has_rank || axis >= shape.rank() || !shape.dims[axis].is_literal()) return std::nullopt;
  return shape.dims[axis].value();
}

/// Number of elements, when all sizes are numbers.
[[nodiscard]] inline Count element_count(const ValueShape& shape) noexcept {
  if (!shape.has_rank) return std::nullopt;
  Count count = 1;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) count = product(count, extent(shape, axis));
  return count;
}

/// Whether every element of the contents is a plain number.
[[nodiscard]] inline bool holds_numbers(const ValueShape& shape) noexcept {
  return shape.is_known && std::ranges::all_of(shape.known, [](Dim dim) { return dim.is_literal(); });
}

}  // namespace trtcheck
