// Dims as products in order: [batch, 12] is a batch of 12 heads each, laid out one behind the other, and can be taken
// apart again as that and as nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/dim.hpp>

namespace trtcheck::sizing {

/// One factor of a dim.
struct Factor {
  Dim dim;
  std::int64_t number = 1;  ///< what the file says it is
  bool is_dynamic = false;  ///< it becomes another number
};
using Factors = std::vector<Factor>;

/// The dims that a Reshape makes.
struct Split {
  std::vector<Factors> dims;
  /// In how many ways a dynamic size of 1 can be put between its neighbours; 1 = only this one.
  std::size_t ways = 1;
};

/// Finds the numbers that a Reshape makes in the dims that it is given.
/// @param way  which of the ways, counted from 0; beyond the last one it is the last one
/// @returns nothing: a dynamic size would be cut apart
[[nodiscard]] std::optional<Split> split(std::span<const Factors> given, std::span<const std::int64_t> wanted,
                                         std::size_t way);

[[nodiscard]] Dim product_of(DimTable& dims, const Factors& factors);

}  // namespace trtcheck::sizing
