// Operators whose output size depends on contents: NonZero, Unique, Range, ImageDecoder.
#include <cmath>

#include "shapes/known_values.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

Interval up_to(OpContext& op, std::optional<Dim> count) {
  return {0, count ? op.dims().bounds(*count).high : Interval::kMax};
}

/// ceil((limit - start) / delta), not below 0; nothing when the step's sign is open.
std::optional<Dim> steps(OpContext& op, Dim start, Dim limit, Dim delta) {
  DimTable& dims = op.dims();
  const Interval step = dims.bounds(delta);
  if (step.low >= 1) return dims.max(dims.ceil_div(dims.sub(limit, start), delta), op.literal(0));
  if (step.high > -1) return std::nullopt;
  const Dim up = dims.sub(op.literal(0), delta);
  return dims.max(dims.ceil_div(dims.sub(start, limit), up), op.literal(0));
}

std::optional<Dim> float_steps(OpContext& op) {
  const auto start = op.constant_floats(0);
  const auto limit = start ? op.constant_floats(1) : std::nullopt;
  const auto delta = limit ? op.constant_floats(2) : std::nullopt;
  if (!delta || start->size() != 1 || limit->size() != 1 || delta->size() != 1) return std::nullopt;
  const double steps = (limit->front() - start->front()) / delta->front();  // real division
  const double count = std::ceil(steps);
  if (!(count < 1e9)) return std::nullopt;
  return op.literal(count > 0 ? static_cast<std::int64_t>(count) : 0);
}

}  // namespace

void infer_non_zero(OpContext& op) {
  const Dim rank = op.has_rank(0) ? op.literal(static_cast<std::int64_t>(op.rank(0)))
                                  : op.unknown("the rank of the input is not known", 0);
  const Dim found = op.unknown("NonZero finds as many as there are", 1, up_to(op, op.element_count(0)));
  op.set(0, DataType::int64, {rank, found});
}

void infer_unique(OpContext& op) {
  const bool has_axis = op.attr("axis") != nullptr;
  if (!op.has_rank(0)) {
    op.set_type(0, op.type(0), {});
    for (std::size_t i = 1; i < op.output_count(); ++i)
      op.set(i, DataType::int64, {op.unknown("Unique keeps what differs", 0)});
    return;
  }
  const auto found = has_axis ? op.axis(op.attr_int("axis", 0), op.rank(0)) : std::optional<std::size_t>(0);
  if (!found) return op.set_type(0, op.type(0), "the axis is wrong");
  const std::size_t axis = *found;
  const auto inverse = has_axis ? std::optional(op.dim(0, axis)) : op.element_count(0);
  const Dim kept = op.unknown("Unique keeps what differs", static_cast<std::int32_t>(axis), up_to(op, inverse));
  DimVector out{kept};
  if (has_axis) {
    out.assign(op.in(0).dims.begin(), op.in(0).dims.end());
    out[axis] = kept;
  }
  op.set(0, op.type(0), out);
  op.set(1, DataType::int64, {kept});
  op.set(2, DataType::int64, {*inverse});
  op.set(3, DataType::int64, {kept});
}

void infer_range(OpContext& op) {
  const DataType type = op.type(0);
  const auto start = op.known(0);
  const auto limit = start ? op.known(1) : std::nullopt;
  const auto delta = limit ? op.known(2) : std::nullopt;
  const bool scalars = delta && start->size() == 1 && limit->size() == 1 && delta->size() == 1;
  auto count = scalars ? steps(op, start->front(), limit->front(), delta->front()) : std::nullopt;
  if (!count && is_float(type)) count = float_steps(op);
  if (!count) return op.set(0, type, {op.unknown("the length of Range is computed at run time", 0)});
  op.set(0, type, {*count});
  if (!scalars || !count->is_literal() || count->value() > static_cast<std::int64_t>(kMaxKnown)) return;
  DimVector contents;
  Dim next = start->front();
  for (std::int64_t i = 0; i < count->value(); ++i) {
    contents.push_back(next);
    next = op.dims().add(next, delta->front());
  }
  op.set_known(0, contents);
}

/// A picture in a file: [height, width, channels].
void infer_image_decoder(OpContext& op) {
  if (op.has_rank(0) && op.rank(0) != 1) op.conflict("a file is one axis of bytes", op.node().input(0));
  op.set(0, DataType::uint8, unknown_dims(op, 3, "the file says how large the picture is"));
}

}  // namespace trtcheck::shapes
