// What lists in order are asked. std::ranges::equal_range and its like, which return a subrange, are beyond Clang 14
// with the standard library of GCC 12: the Clang of Debian 12, which `make lint` and the fuzzers take.
#pragma once

#include <algorithm>
#include <functional>
#include <span>

namespace trtcheck {

/// Those elements of `sorted` whose `key` equals `value`.
/// @pre `sorted` is in the order of `key`
template <class List, class T, class Key>
[[nodiscard]] auto equal_span(List& sorted, const T& value, Key key) {
  const auto first = std::ranges::lower_bound(sorted, value, std::ranges::less(), key);
  return std::span(first, std::ranges::upper_bound(first, sorted.end(), value, std::ranges::less(), key));
}

}  // namespace trtcheck
