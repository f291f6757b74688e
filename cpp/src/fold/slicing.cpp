// Parts of tensors, copies of them, borders around them.
#include <algorithm>
#include <limits>
#include <numeric>

#include "fold/families.hpp"
#include "fold/places.hpp"

namespace trtcheck::fold {
namespace {

/// Indices from `start` on, as many.
Places run(std::int64_t start, std::int64_t count) {
  Places places(size(count));
  std::iota(places.begin(), places.end(), size(start));
  return places;
}

Outputs concat(const Call& call) {
  const Array& first = call.in(0);
  const std::size_t axis = axis_of(call.integer("axis", 1), first.dims.size());
  if (call.opset >= 4 && call.node.attribute("axis") == nullptr) throw Unfolded{"attribute `axis` is missing"};
  Dims dims = first.dims;
  for (std::size_t i = 1; i < call.inputs.size(); ++i) {
    const Dims& other = call.in(i).dims;
    if (other.size() != dims.size() || reduced_dims(other, {axis}) != reduced_dims(dims, {axis})) {
      throw Unfolded{"sizes next to the joined axis are not equal"};
    }
    dims[axis] += other[axis];
  }
  Array made = call.blank(first.type, dims);
  const std::span<const std::int64_t> all(dims);
  const std::size_t inner = product(all.subspan(axis + 1)) * width_of(first.type);
  const std::size_t outer = product(all.first(axis));
  std::size_t at = 0;
  for (std::size_t block = 0; block < outer; ++block) {
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      const std::size_t bytes = size(call.in(i).dims[axis]) * inner;
      std::copy_n(call.in(i).bytes.begin() + static_cast<std::ptrdiff_t>(block * bytes), bytes,
                  made.bytes.begin() + static_cast<std::ptrdiff_t>(at));
      at += bytes;
    }
  }
  return one(std::move(made));
}

/// Lengths of the parts that an axis is split into.
Dims split_lengths(const Call& call, std::int64_t dim) {
  if (const std::optional<Dims> stated = call.list("split", 1, 13)) return *stated;
  const auto outputs = static_cast<std::int64_t>(call.node.outputs.size());
  const std::int64_t parts = call.opset >= 18 ? call.integer("num_outputs", outputs) : outputs;
  if (parts != outputs) throw Unfolded{"attribute `num_outputs` is not the number of outputs"};
  if (call.opset < 18 && dim % parts != 0) throw Unfolded{"an axis cannot be split into equal parts"};
  const std::int64_t length = (dim + parts - 1) / parts;
  Dims lengths(size(parts), length);
  lengths.back() = dim - length * (parts - 1);
  return lengths;
}

Outputs split(const Call& call) {
  const Array& x = call.in(0);
  const std::size_t axis = axis_of(call.integer("axis", 0), x.dims.size());
  const Dims lengths = split_lengths(call, x.dims[axis]);
  std::int64_t left = x.dims[axis];
  for (const std::int64_t length : lengths) {
    if (length < 0 || length > left) throw Unfolded{"an axis cannot be split into these parts"};
    left -= length;
  }
  if (left != 0 || lengths.size() != call.node.outputs.size())
    throw Unfolded{"an axis cannot be split into these parts"};
  Outputs made;
  Picks picks = all_of(call, x.dims);
  std::int64_t start = 0;
  for (const std::int64_t length : lengths) {
    picks[axis] = run(start, length);
    made.push_back(take(call, x, picks));
    start += length;
  }
  return made;
}

/// Indices of one axis, as numpy slices.
Places sliced(std::int64_t dim, std::int64_t start, std::int64_t end, std::int64_t step) {
  if (step == 0) throw Unfolded{"a step of a slice is 0"};
  const auto bound = [&](std::int64_t at, std::int64_t low, std::int64_t high) {
    return std::clamp(at < 0 ? at + dim : at, low, high);
  };
  Places places;
  if (step > 0) {
    const std::int64_t last = bound(end, 0, dim);
    for (std::int64_t at = bound(start, 0, dim); at < last;) {
      places.push_back(size(at));
      if (__builtin_add_overflow(at, step, &at)) break;
    }
  } else {
    // ONNX and ONNX Runtime start with the first element, its reference with none.
    if (start < -dim) throw Unfolded{"a slice that goes back starts before the first element"};
    // ONNX Runtime goes on to the first element, the specification and its reference stop at once.
    constexpr auto kLargest = std::numeric_limits<std::int32_t>::max();
    if (end >= dim && end >= kLargest) throw Unfolded{"a slice that goes back ends at the largest number"};
    const std::int64_t last = bound(end, -1, dim - 1);
    for (std::int64_t at = bound(start, -1, dim - 1); at > last;) {
      places.push_back(size(at));
      if (__builtin_add_overflow(at, step, &at)) break;
    }
  }
  return places;
}

Outputs slice(const Call& call) {
  const Array& x = call.in(0);
  const bool has_inputs = call.opset >= 10;
  const Dims starts = call.list("starts", 1, 10).value_or(Dims{});
  const Dims ends = call.list("ends", 2, 10).value_or(Dims{});
  Dims axes(starts.size());
  std::iota(axes.begin(), axes.end(), std::int64_t{0});
  axes = call.list("axes", 3, 10).value_or(axes);
  Dims steps(starts.size(), 1);
  if (has_inputs && call.maybe(4) != nullptr) steps = call.integers(4);
  if (ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size()) {
    throw Unfolded{"starts, ends, axes and steps are not of one length"};
  }
  static_cast<void>(axes_of(axes, x.dims.size()));
  Picks picks = all_of(call, x.dims);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = axis_of(axes[i], x.dims.size());
    picks[axis] = sliced(x.dims[axis], starts[i], ends[i], steps[i]);
  }
  return one(take(call, x, picks));
}

Outputs expand(const Call& call) {
  const Array& x = call.in(0);
  const Dims wanted = call.integers(1);
  static_cast<void>(call.count(wanted));
  const Dims dims = broadcast(x.dims, wanted);
  return one(take(call, x, broadcast_places(call, x.dims, dims), dims));
}

Outputs tile(const Call& call) {
  if (call.opset < 6) throw Unfolded{"Tile of opset 1 is not evaluated"};
  const Array& x = call.in(0);
  const Dims repeats = call.integers(1);
  if (repeats.size() != x.dims.size()) throw Unfolded{"there are not as many repeats as axes"};
  Picks picks = all_of(call, x.dims);
  for (std::size_t axis = 0; axis < picks.size(); ++axis) {
    static_cast<void>(call.count({repeats[axis], x.dims[axis]}));
    const Places once = picks[axis];
    picks[axis].clear();
    if (once.empty()) continue;
    for (std::int64_t i = 0; i < repeats[axis]; ++i) picks[axis].insert(picks[axis].end(), once.begin(), once.end());
  }
  return one(take(call, x, picks));
}

/// Where the element at `at`, which may lie outside of 0 .. dim-1, comes from.
std::size_t bordered(std::string_view mode, std::int64_t at, std::int64_t dim) {
  if (at >= 0 && at < dim) return size(at);
  if (mode == "constant") return kNowhere;
  if (dim == 0) throw Unfolded{"an empty axis has no border"};
  if (mode == "edge") return at < 0 ? 0 : size(dim - 1);
  if (mode == "wrap") return size((at % dim + dim) % dim);
  if (mode != "reflect") throw Unfolded{"attribute `mode` is not one that ONNX defines"};
  if (at <= -dim || at > 2 * dim - 2) throw Unfolded{"a reflection is longer than its axis"};
  return size(at < 0 ? -at : 2 * dim - 2 - at);
}

Places padded(const Call& call, std::string_view mode, std::int64_t dim, std::int64_t before, std::int64_t after) {
  const std::int64_t most = call.left.elements;
  if (before > most || after > most || before < -most || after < -most) {
    throw Unfolded{"larger than " + std::to_string(most) + " elements"};
  }
  if (dim + before + after < 0) throw Unfolded{"more is cut off than there is"};
  if ((before < 0 || after < 0) && mode != "constant") throw Unfolded{"negative pads with a mode are not evaluated"};
  Places places;
  for (std::int64_t at = -before; at < dim + after; ++at) places.push_back(bordered(mode, at, dim));
  return places;
}

std::optional<Array> border_value(const Call& call, DataType type) {
  if (call.opset < 11) return array_of(type, {}, std::vector<double>{call.real("value", 0)});
  const Array* value = call.maybe(2);
  if (value == nullptr) return std::nullopt;
  if (value->count() != 1) throw Unfolded{"the value of the border is not one number"};
  return *value;
}

Outputs pad(const Call& call) {
  const Array& x = call.in(0);
  const Dims pads = call.list(call.opset < 2 ? "paddings" : "pads", 1, 11).value_or(Dims{});
  Dims axes(x.dims.size());
  std::iota(axes.begin(), axes.end(), std::int64_t{0});
  if (call.opset >= 18 && call.maybe(3) != nullptr) axes = call.integers(3);
  if (pads.size() != axes.size() * 2) throw Unfolded{"there are not two pads for each axis"};
  static_cast<void>(axes_of(axes, x.dims.size()));
  const std::string_view mode = call.text("mode", "constant");
  Picks picks = all_of(call, x.dims);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = axis_of(axes[i], x.dims.size());
    picks[axis] = padded(call, mode, x.dims[axis], pads[i], pads[i + axes.size()]);
  }
  const std::optional<Array> value = border_value(call, x.type);
  return one(take(call, x, picks, value ? &*value : nullptr));
}

constexpr Row kSlicingRows[] = {
    {"Concat", concat}, {"Expand", expand}, {"Pad", pad}, {"Slice", slice}, {"Split", split}, {"Tile", tile},
};

}  // namespace

std::span<const Row> slicing_rows() noexcept { return kSlicingRows; }

}  // namespace trtcheck::fold
