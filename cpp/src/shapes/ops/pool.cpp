// Pooling, over windows and over everything.
#include <algorithm>

#include <fmt/core.h>

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
  auto window = read_window(op, kernel);
  if (!window) return unknown_extents(op, batch, channels, kernel.size());
  window->may_be_empty = true;
  return slide(op, *window, batch, channels);
}

/// A window of fewer axes than the input has: TensorRT slides it over the last ones.
DimVector pooled_at_the_end(OpContext& op, const DimVector& kernel) {
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  auto window = read_window(op, kernel);
  if (window) window->may_be_empty = true;
  const std::size_t first = out.size() - kernel.size();
  if (window) {
    const DimVector counts = positions(op, *window, std::span(out).subspan(first), first);
    std::ranges::copy(counts, out.begin() + static_cast<std::ptrdiff_t>(first));
    return out;
  }
  for (std::size_t axis = first; axis < out.size(); ++axis) {
    out[axis] = op.unknown("the attributes contradict each other", static_cast<std::int32_t>(axis));
  }
  return out;
}

std::optional<DimVector> infer_window(OpContext& op) {
  const auto kernel = kernel_shape(op);
  if (!kernel) return std::nullopt;
  if (op.has_rank(0) && op.rank(0) != kernel->size() + 2) {
    // The layer knows windows of two and three axes.
    const bool is_taken = (kernel->size() == 2 || kernel->size() == 3) && op.rank(0) > kernel->size() + 2;
    op.onnx_forbids(fmt::format("attribute `kernel_shape` has {} entries, an input of {} axes needs {}", kernel->size(),
                                op.rank(0), static_cast<std::int64_t>(op.rank(0)) - 2),
                    is_taken ? "the window slides over the last axes" : std::string_view{}, op.node().input(0));
    if (is_taken) return pooled_at_the_end(op, *kernel);
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
