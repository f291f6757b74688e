#include "rules/extremes.hpp"

#include <algorithm>
#include <limits>

namespace trtcheck::rules {

std::int64_t fewest_elements(const DimTable& dims, const ValueShape& shape) {
  if (!shape.has_rank || shape.kind != ValueShape::Kind::tensor) return 0;
  std::int64_t count = 1;
  for (const Dim dim : shape.dims) {
    const std::int64_t low = std::max<std::int64_t>(dims.bounds(dim).low, 0);
    if (low == 0) return 0;
    if (__builtin_mul_overflow(count, low, &count)) return std::numeric_limits<std::int64_t>::max();
  }
  return count;
}

}  // namespace trtcheck::rules
