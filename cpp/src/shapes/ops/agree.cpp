#include "shapes/ops/agree.hpp"

#include <fmt/core.h>

namespace trtcheck::shapes {

std::optional<DimVector> dims_of_rank(OpContext& op, std::size_t input, std::size_t rank) {
  DimVector out;
  if (op.has_rank(input)) {
    if (op.rank(input) != rank) {
      op.conflict(fmt::format("input {} has {} axes, {} are required", input, op.rank(input), rank),
                  op.node().input(input));
      return std::nullopt;
    }
    out.assign(op.in(input).dims.begin(), op.in(input).dims.end());
    return out;
  }
  out.reserve(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    out.push_back(op.unknown("the rank of an input is not known", static_cast<std::int32_t>(i)));
  }
  return out;
}

}  // namespace trtcheck::shapes
