#include "fold/zip.hpp"

namespace trtcheck::fold {

Array combined(const Call& call, const Array& a, const Array& b, OfTwo f) {
  const Dims dims = broadcast(a.dims, b.dims);
  return in_domain(a.type, [&](auto zero) {
    using T = decltype(zero);
    return array_of(a.type, dims, zipped<T>(call, a, b, dims, f.of<T>()));
  });
}

Array second(const Call& call) {
  Array b = call.in(1);
  const std::size_t rank = call.in(0).dims.size();
  if (call.opset >= 7 || b.dims == call.in(0).dims) return b;
  if (call.integer("broadcast", 0) == 0) throw Unfolded{"sizes are not equal, and attribute `broadcast` is not set"};
  if (call.node.attribute("axis") != nullptr) {
    const std::size_t end = axis_of(call.integer("axis", 0), rank) + b.dims.size();
    if (end > rank) throw Unfolded{"sizes cannot be broadcast in one direction"};
    b.dims.resize(b.dims.size() + rank - end, 1);
  }
  if (broadcast(call.in(0).dims, b.dims) != call.in(0).dims)
    throw Unfolded{"sizes cannot be broadcast in one direction"};
  return b;
}

}  // namespace trtcheck::fold
