// Expand and Tile: the same elements, more often.
#include <algorithm>

#include <fmt/core.h>

#include "shapes/known_values.hpp"
#include "shapes/ops/computed_sizes.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kComputedSize = "the target size is computed at run time";

/// A target below the size of the axis: TensorRT builds it and gives the axis its own size, or none for 0.
void keep_larger_axes(OpContext& op, std::span<Dim> sizes, std::vector<bool>& is_open) {
  const auto dims = op.in(0).dims;
  for (std::size_t back = 1; back <= std::min(sizes.size(), dims.size()); ++back) {
    Dim& size = sizes[sizes.size() - back];
    const Dim dim = dims[dims.size() - back];
    if (!size.is_literal() || !dim.is_literal() || size.is(1) || size.value() < 0 || size.value() >= dim.value())
      continue;
    if (dim.is(1)) continue;
    op.onnx_forbids(fmt::format("cannot broadcast {} to {}", dim.value(), size.value()),
                    size.is(0) ? "the axis becomes empty" : "the axis keeps its size", op.node().input(1),
                    static_cast<int>(dims.size() - back));
    if (size.is(0)) is_open[is_open.size() - back] = true;
    size = op.literal(1);
  }
}

/// Repeats of another number than the axes, as TensorRT takes them; nothing when it does not.
std::optional<DimVector> repeats_by_tensorrt(OpContext& op, std::span<const Dim> repeats) {
  const auto dims = op.in(0).dims;
  const bool is_fixed = std::ranges::all_of(dims, [](Dim dim) { return dim.is_literal(); });
  const bool is_one = repeats.size() == 1;
  const bool is_short = !repeats.empty() && repeats.size() < dims.size() && is_fixed;
  const std::string_view taken_as = is_one     ? "every axis is repeated that often"
                                    : is_short ? "the list is read again from its start for the other axes"
                                               : std::string_view{};
  op.onnx_forbids(fmt::format("{} repeats for an input with {} axes", repeats.size(), dims.size()), taken_as,
                  op.node().input(1));
  if (is_one) return DimVector(dims.size(), repeats.front());
  if (is_short) return unknown_dims(op, dims.size(), "the repeats do not fit the input");
  return std::nullopt;
}

/// The output's contents, when it is a short vector made of the input's.
void repeat_contents(OpContext& op, std::span<const Dim> out) {
  if (!op.in(0).is_known || op.in(0).known.empty() || out.size() != 1 || !out[0].is_literal()) return;
  const auto count = static_cast<std::size_t>(out[0].value());
  if (count > kMaxKnown) return;
  const auto known = op.in(0).known;
  DimVector contents;
  contents.reserve(count);
  while (contents.size() < count) {
    const std::size_t part = std::min(known.size(), count - contents.size());
    contents.insert(contents.end(), known.begin(), known.begin() + static_cast<std::ptrdiff_t>(part));
  }
  op.set_known(0, contents);
}

}  // namespace

void infer_expand(OpContext& op) {
  const auto target = sizes_from(op, 1, kComputedSize);
  if (!target || !op.has_rank(0)) return op.set_type(0, op.type(0), target ? std::string_view{} : kComputedSize);
  DimVector sizes = *target;
  std::vector<bool> is_open(std::max(sizes.size(), op.rank(0)));
  const std::size_t offset = is_open.size() - sizes.size();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (op.dims().bounds(sizes[i]).low >= 0) continue;
    // Runtimes differ over negative entries; contents that nobody knows may be any size.
    is_open[offset + i] = true;
    sizes[i] = op.literal(1);
  }
  keep_larger_axes(op, sizes, is_open);
  const std::span<const Dim> shapes[]{op.in(0).dims, sizes};
  auto dims = op.broadcast(shapes);
  if (!dims) return op.set_type(0, op.type(0), "the input does not broadcast to the target size");
  for (std::size_t i = 0; i < is_open.size(); ++i) {
    if (is_open[i]) (*dims)[i] = op.unknown(kComputedSize, static_cast<std::int32_t>(i));
  }
  op.set(0, op.type(0), *dims);
  repeat_contents(op, *dims);
}

void infer_tile(OpContext& op) {
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  auto repeats = sizes_from(op, 1, "the repeats are computed at run time");
  if (!repeats) return op.set(0, op.type(0), unknown_dims(op, op.rank(0), "the repeats are computed at run time"));
  if (repeats->size() != op.rank(0)) repeats = repeats_by_tensorrt(op, *repeats);
  if (!repeats) return op.set_type(0, op.type(0), "the repeats do not fit the input");
  DimVector out;
  for (std::size_t axis = 0; axis < op.rank(0); ++axis) out.push_back(op.dims().mul(op.dim(0, axis), (*repeats)[axis]));
  check_sizes(op, out);
  op.set(0, op.type(0), out);
  repeat_contents(op, out);
}

/// Opset 1: one axis, one count.
void infer_tile_one_axis(OpContext& op) {
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  const auto tiles = op.known(1);
  const auto axes = op.constant_ints(2);
  if (!tiles || tiles->size() != 1 || !axes || axes->size() != 1) {
    return op.set(0, op.type(0), unknown_dims(op, op.rank(0), "the repeats are computed at run time"));
  }
  const auto axis = op.axis(axes->front(), op.rank(0));
  if (!axis) return op.set_type(0, op.type(0), "the axis is wrong");
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  out[*axis] = op.dims().mul(out[*axis], tiles->front());
  op.set(0, op.type(0), out);
}

}  // namespace trtcheck::shapes
