#include "shapes/ops/computed_sizes.hpp"

#include <fmt/core.h>

namespace trtcheck::shapes {

void check_size(OpContext& op, Dim size, std::string_view what) {
  // Products of two are beyond 64 bits in bytes, and no memory holds one.
  constexpr std::int64_t kTooLarge = std::int64_t{1} << 60;
  const Interval range = op.dims().bounds(size);
  if (range.low >= kTooLarge) op.standard_forbids(fmt::format("{} overflows: it is 2^60 or above", what));
  if (range.high < 0) op.conflict(fmt::format("{} is below 0", what));
}

void check_sizes(OpContext& op, std::span<const Dim> dims) {
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (!dims[axis].is_literal()) check_size(op, dims[axis], fmt::format("axis {} of the result", axis));
  }
}

}  // namespace trtcheck::shapes
