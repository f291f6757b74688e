// Pooling, over windows and over everything.
#include <fmt/format.h>

#include "shapes/ops/window.hpp"

namespace trtcheck::shapes {

namespace {

DimVector pooled(OpContext& op, const DimVector& kernel) {
  const auto leading = [&](std::size_t axis) {
    return op.has_rank(0) ? op.dim(0, axis)
                          : op.unknown("the rank of an input is not known", static_cast<std::int32_t>(axis));
  };
  const Dim batch = leading(0);
  const Dim channels = leading(1);
  const auto window = read_window(op, kernel);
  return window ? slide(op, *window, batch, channels) : unknown_extents(op, batch, channels, kernel.size());
}

std::optional<DimVector> infer_window(OpContext& op) {
  const auto kernel = kernel_shape(op);
  if (!kernel) return std::nullopt;
  if (op.has_rank(0) && op.rank(0) != kernel->size() + 2) {
    op.conflict(fmt::format("attribute `kernel_shape` has {} entries, an input of {} axes needs {}", kernel->size(),
                            op.rank(0), static_cast<std::int64_t>(op.rank(0)) - 2),
                op.node().input(0));
    return std::nullopt;
  }
  return pooled(op, *kernel);
}

}  // namespace

void infer_pool(OpContext& op) {
  const auto dims = infer_window(op);
  if (!dims) return op.set_type(0, op.type(0), "the kernel does not fit the input");
  op.set(0, op.type(0), *dims);
}

// The second output holds where the maxima were.
void infer_max_pool(OpContext& op) {
  const auto dims = infer_window(op);
  for (const std::size_t output : {std::size_t{0}, std::size_t{1}}) {
    const DataType type = output == 0 ? op.type(0) : DataType::int64;
    if (dims)
      op.set(output, type, *dims);
    else
      op.set_type(output, type, "the kernel does not fit the input");
  }
}

void infer_global_pool(OpContext& op) {
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  for (std::size_t i = 2; i < out.size(); ++i) out[i] = op.literal(1);
  op.set(0, op.type(0), out);
}

}  // namespace trtcheck::shapes
