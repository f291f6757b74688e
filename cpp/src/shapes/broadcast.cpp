// numpy broadcasting of whole shapes.
#include <fmt/core.h>

#include "shapes/infer.hpp"

namespace trtcheck::shapes {

namespace {

/// One axis of two shapes; nothing on a conflict.
std::optional<Dim> broadcast_axis(OpContext& op, Dim a, Dim b) {
  if (a.same(b) || b.is(1)) return a;
  if (a.is(1)) return b;
  const std::optional<Dim> both = op.dims().broadcast(a, b);
  if (!both) return std::nullopt;
  if (op.dims().equal(a, b) != Truth::yes) {
    // A literal other than 1 decides: the other side has to be 1 or the same.
    const bool literal_first = a.is_literal();
    op.state().result.obligations.push_back({op.id(), Obligation::Need::one_or_equal, literal_first ? b : a,
                                             literal_first ? a : b, "inputs broadcast against each other"});
  }
  return both;
}

}  // namespace

std::optional<DimVector> OpContext::broadcast(std::span<const std::span<const Dim>> shapes) {
  std::size_t rank = 0;
  for (const auto& shape : shapes) rank = std::max(rank, shape.size());
  DimVector out(rank, literal(1));
  for (const auto& shape : shapes) {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      Dim& target = out[rank - shape.size() + i];
      const std::optional<Dim> both = broadcast_axis(*this, target, shape[i]);
      if (!both) {
        conflict(fmt::format("cannot broadcast {} against {} at axis {}", dims().text(target), dims().text(shape[i]),
                             rank - shape.size() + i),
                 {}, static_cast<int>(rank - shape.size() + i));
        return std::nullopt;
      }
      target = *both;
    }
  }
  return out;
}

}  // namespace trtcheck::shapes
