// Shape and Size: where sizes become contents.
#include <algorithm>

#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

void infer_shape(OpContext& op) {
  if (!op.has_rank(0)) {
    const Dim rank = op.unknown("the rank of the input is not known", 0);
    return op.set(0, DataType::int64, {rank});
  }
  const auto rank = static_cast<std::int64_t>(op.rank(0));
  const auto clamp = [rank](std::int64_t index) {
    return std::clamp<std::int64_t>(index < 0 ? index + rank : index, 0, rank);
  };
  const std::int64_t start = clamp(std::max(op.attr_int("start", 0), -rank));
  const std::int64_t end = clamp(std::max(op.attr_int("end", rank), -rank - 1));
  const std::int64_t count = std::max<std::int64_t>(end - start, 0);
  op.set(0, DataType::int64, {op.literal(count)});
  op.set_known(
      0, op.in(0).dims.subspan(static_cast<std::size_t>(count == 0 ? 0 : start), static_cast<std::size_t>(count)));
}

void infer_size(OpContext& op) {
  op.set(0, DataType::int64, {});
  if (const auto count = op.element_count(0)) op.set_known(0, {*count});
}

}  // namespace trtcheck::shapes
