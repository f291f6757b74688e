// How many elements sizes make together.
#pragma once

#include <span>

#include <trtcheck/dim.hpp>

namespace trtcheck {

/// 1 without sizes.
[[nodiscard]] inline Dim product(DimTable& table, std::span<const Dim> dims) {
  Dim made = table.literal(1);
  for (const Dim dim : dims) made = table.mul(made, dim);
  return made;
}

}  // namespace trtcheck
