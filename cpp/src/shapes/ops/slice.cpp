// Slice: starts and ends may be numbers, sizes or expressions of sizes.
#include <algorithm>

#include "shapes/known_values.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

// Exporters write INT64_MAX or INT32_MAX for "to the end", INT64_MIN for "past the front".
constexpr std::int64_t kFar = std::int64_t{1} << 30;

bool is_far_end(OpContext& op, Dim dim) { return op.dims().bounds(dim).low >= kFar; }
bool is_far_front(OpContext& op, Dim dim) { return op.dims().bounds(dim).high <= -kFar; }

/// Counted from the front; nothing when it is not known and may be negative or not.
std::optional<Dim> from_front(OpContext& op, Dim index, Dim size) {
  DimTable& dims = op.dims();
  const Interval bounds = dims.bounds(index);
  if (bounds.low >= 0) return index;
  if (bounds.high < 0) return dims.add(index, size);
  if (!dims.is_exact(index)) return std::nullopt;
  const Dim negative = dims.sub(op.literal(0), index);
  const Dim is_negative = dims.min(dims.max(negative, op.literal(0)), op.literal(1));
  return dims.add(index, dims.mul(size, is_negative));
}

/// Length of [start:end:step] with step > 0.
std::optional<Dim> forward_length(OpContext& op, Dim start, Dim end, std::int64_t step, Dim size) {
  DimTable& dims = op.dims();
  const auto clamp = [&](Dim index) -> std::optional<Dim> {
    const bool is_huge = size.is_literal() && size.value() >= kFar;
    if (!is_huge && is_far_end(op, index)) return size;
    if (!is_huge && is_far_front(op, index)) return op.literal(0);
    const auto front = from_front(op, index, size);
    if (!front) return std::nullopt;
    return dims.min(dims.max(*front, op.literal(0)), size);
  };
  const auto first = clamp(start);
  const auto last = first ? clamp(end) : std::nullopt;
  if (!last) return std::nullopt;
  return dims.max(dims.ceil_div(dims.sub(*last, *first), op.literal(step)), op.literal(0));
}

/// Length of [start:end:step] with step < 0. What runtimes read differently is left open: a start in front of the
/// first element, and INT64_MAX as the end, with which ONNX Runtime goes on to the front.
std::optional<Dim> backward_length(OpContext& op, Dim start, Dim end, std::int64_t step, Dim size) {
  DimTable& dims = op.dims();
  if (step == Interval::kMin || op.dims().bounds(size).low < 1 || is_far_end(op, end)) return std::nullopt;
  const Dim top = dims.sub(size, op.literal(1));
  const auto first = is_far_end(op, start) ? std::optional(top) : from_front(op, start, size);
  if (!first || dims.bounds(*first).low < 0) return std::nullopt;
  std::optional<Dim> last;
  if (is_far_front(op, end)) {
    last = op.literal(-1);
  } else if (const auto front = from_front(op, end, size)) {
    last = dims.min(dims.max(*front, op.literal(-1)), top);
  }
  if (!last) return std::nullopt;
  const Dim distance = dims.sub(dims.min(*first, top), *last);
  return dims.max(dims.ceil_div(distance, op.literal(-step)), op.literal(0));
}

/// `step` is nullptr when it is not known.
Dim sliced(OpContext& op, Dim start, Dim end, const std::int64_t* step, std::size_t axis) {
  const Dim size = op.dim(0, axis);
  const Interval range{0, op.dims().bounds(size).high};
  const auto where = static_cast<std::int32_t>(axis);
  if (step == nullptr) return op.unknown("the step of Slice is computed at run time", where, range);
  if (*step == 0) {
    op.conflict("a step of Slice is 0");
    return op.unknown("a step of 0", where, range);
  }
  const auto length =
      *step > 0 ? forward_length(op, start, end, *step, size) : backward_length(op, start, end, *step, size);
  return length ? *length : op.unknown("where Slice starts and ends is not known", where, range);
}

struct Bounds {
  std::optional<std::vector<std::int64_t>> axes;  ///< nothing: computed at run time
  std::optional<DimVector> starts;
  std::optional<DimVector> ends;
  std::optional<std::vector<std::int64_t>> steps;  ///< nothing: computed at run time
  std::size_t count = 0;
};

/// Which elements of one axis remain; nothing when bounds are no plain numbers.
std::optional<std::vector<std::size_t>> kept(OpContext& op, Dim start, Dim end, std::int64_t step, std::int64_t size) {
  const auto number = [&](Dim dim, std::int64_t low, std::int64_t high) -> std::optional<std::int64_t> {
    if (is_far_end(op, dim)) return high;
    if (is_far_front(op, dim)) return low;
    const auto front = from_front(op, dim, op.literal(size));
    if (!front) return std::nullopt;
    // A size may be past the end for all values that it has.
    const Dim inside = op.dims().max(op.dims().min(*front, op.literal(high)), op.literal(low));
    return inside.is_literal() ? std::optional(inside.value()) : std::nullopt;
  };
  if (step < 0 && is_far_end(op, end)) return std::nullopt;
  const auto first = step > 0 ? number(start, 0, size) : number(start, 0, size - 1);
  const auto last = step > 0 ? number(end, 0, size) : number(end, -1, size - 1);
  if (!first || !last || step == 0 || step < -size - 1) return std::nullopt;
  std::vector<std::size_t> out;
  for (std::int64_t i = *first; step > 0 ? i < *last : i > *last; i += std::min(step, size + 1)) {
    out.push_back(static_cast<std::size_t>(i));
  }
  return out;
}

/// Contents along one axis; several axes are sliced one after the other.
void slice_contents(OpContext& op, const Bounds& bounds) {
  auto given = op.contents(0);
  if (!given || given->empty() || op.rank(0) == 0) return;
  DimVector contents(given->begin(), given->end());
  std::vector<std::size_t> sizes;
  for (const Dim dim : op.in(0).dims) sizes.push_back(static_cast<std::size_t>(dim.value()));
  for (std::size_t i = 0; i < bounds.count; ++i) {
    const std::int64_t axis_given = (*bounds.axes)[i];
    const auto axis =
        static_cast<std::size_t>(axis_given < 0 ? axis_given + static_cast<std::int64_t>(sizes.size()) : axis_given);
    const auto rows =
        kept(op, (*bounds.starts)[i], (*bounds.ends)[i], (*bounds.steps)[i], static_cast<std::int64_t>(sizes[axis]));
    if (!rows) return;
    std::size_t inner = 1;
    for (std::size_t k = axis + 1; k < sizes.size(); ++k) inner *= sizes[k];
    DimVector next;
    for (std::size_t block = 0; block < contents.size(); block += inner * sizes[axis]) {
      for (const std::size_t row : *rows) {
        const auto from = contents.begin() + static_cast<std::ptrdiff_t>(block + row * inner);
        next.insert(next.end(), from, from + static_cast<std::ptrdiff_t>(inner));
      }
    }
    contents = std::move(next);
    sizes[axis] = rows->size();
    if (contents.empty()) break;
  }
  op.set_contents(0, contents);
}

void slice(OpContext& op, const Bounds& bounds) {
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  if (!bounds.axes)
    return op.set(0, op.type(0), unknown_dims(op, op.rank(0), "the axes of Slice are computed at run time"));
  const auto flags = axis_flags(op, *bounds.axes, op.rank(0));
  if (!flags) return op.set_type(0, op.type(0), "the axes are wrong");
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  const auto rank = static_cast<std::int64_t>(op.rank(0));
  for (std::size_t i = 0; i < bounds.count; ++i) {
    const std::int64_t given = (*bounds.axes)[i];
    const auto axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
    const std::int64_t* step = bounds.steps ? &(*bounds.steps)[i] : nullptr;
    if (bounds.starts && bounds.ends) {
      out[axis] = sliced(op, (*bounds.starts)[i], (*bounds.ends)[i], step, axis);
    } else {
      out[axis] = op.unknown("where Slice starts and ends is computed at run time", static_cast<std::int32_t>(axis),
                             {0, op.dims().bounds(op.dim(0, axis)).high});
    }
  }
  op.set(0, op.type(0), out);
  if (bounds.starts && bounds.ends && bounds.steps) slice_contents(op, bounds);
}

std::vector<std::int64_t> first_axes(std::size_t count) {
  std::vector<std::int64_t> axes(count);
  for (std::size_t i = 0; i < count; ++i) axes[i] = static_cast<std::int64_t>(i);
  return axes;
}

/// Number of entries of a vector input, when that much is known.
std::optional<std::size_t> length_of(OpContext& op, std::size_t input) {
  if (const auto known = op.known(input)) return known->size();
  if (!op.has_rank(input) || op.rank(input) != 1 || !op.dim(input, 0).is_literal()) return std::nullopt;
  return static_cast<std::size_t>(op.dim(input, 0).value());
}

std::optional<DimVector> contents_of(OpContext& op, std::size_t input) {
  const auto known = op.known(input);
  if (!known) return std::nullopt;
  return DimVector(known->begin(), known->end());
}

}  // namespace

void infer_slice(OpContext& op) {
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  const auto count = length_of(op, 1);
  if (!count || *count > op.rank(0)) {
    if (count) op.conflict("Slice has more starts than the input has axes", op.node().input(1));
    return op.set(0, op.type(0), unknown_dims(op, op.rank(0), "where Slice starts and ends is computed at run time"));
  }
  Bounds bounds;
  bounds.count = *count;
  bounds.starts = contents_of(op, 1);
  bounds.ends = contents_of(op, 2);
  bounds.axes = op.has_input(3) ? op.constant_ints(3) : first_axes(*count);
  bounds.steps = op.has_input(4) ? op.constant_ints(4) : std::vector<std::int64_t>(*count, 1);
  const bool fits = (!bounds.ends || bounds.ends->size() == *count) &&
                    (!bounds.axes || bounds.axes->size() == *count) &&
                    (!bounds.steps || bounds.steps->size() == *count);
  if (!fits) {
    op.conflict("starts, ends, axes and steps of Slice differ in length");
    return op.set_type(0, op.type(0), "starts, ends, axes and steps of Slice differ in length");
  }
  slice(op, bounds);
}

/// Before opset 10 the bounds are attributes.
void infer_slice_attributes(OpContext& op) {
  const auto starts = op.attr_ints("starts");
  const auto ends = op.attr_ints("ends");
  const auto axes = op.attr_ints("axes");
  if (!starts || !ends || starts->size() != ends->size() || (axes && axes->size() != starts->size())) {
    return op.set_type(0, op.type(0), "starts, ends and axes of Slice are missing or differ in length");
  }
  Bounds bounds;
  bounds.count = starts->size();
  const auto numbers = [&op](std::span<const std::int64_t> values) {
    DimVector out;
    for (const std::int64_t value : values) out.push_back(content_dim(op.state(), value));
    return out;
  };
  bounds.starts = numbers(*starts);
  bounds.ends = numbers(*ends);
  bounds.axes = axes ? std::vector<std::int64_t>(axes->begin(), axes->end()) : first_axes(bounds.count);
  bounds.steps = std::vector<std::int64_t>(bounds.count, 1);
  slice(op, bounds);
}

}  // namespace trtcheck::shapes
