// Two tensors, element by element, broadcast as numpy does.
#pragma once

#include <vector>

#include "fold/arithmetic.hpp"
#include "fold/places.hpp"

namespace trtcheck::fold {

/// @pre a and b are of one type
template <class T>
std::vector<T> zipped(const Call& call, const Array& a, const Array& b, const Dims& dims, Function2<T> f) {
  const std::vector<T> left = numbers<T>(a);
  const std::vector<T> right = numbers<T>(b);
  const Places from_left = broadcast_places(call, a.dims, dims);
  const Places from_right = broadcast_places(call, b.dims, dims);
  std::vector<T> made(from_left.size());
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = f(left[from_left[i]], right[from_right[i]]);
  return made;
}

/// The array of f over two of one type, in that type.
[[nodiscard]] Array combined(const Call& call, const Array& a, const Array& b, OfTwo f);

/// The second input, under dims that numpy broadcasts as the opset says.
[[nodiscard]] Array second(const Call& call);

}  // namespace trtcheck::fold
