// Operators whose output size depends on contents: NonZero, Unique, Compress, Range, ImageDecoder.
#include <algorithm>
#include <array>
#include <cmath>

#include "shapes/infer.hpp"
#include "shapes/known_values.hpp"
#include "shapes/ops/float_arithmetic.hpp"
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

/// A step moves by 1 at least, in whichever direction.
Interval most_steps(OpContext& op, Dim start, Dim limit) {
  const Interval distance = op.dims().bounds(op.dims().sub(limit, start));
  if (distance.low == Interval::kMin || distance.high == Interval::kMax) return {0, Interval::kMax};
  return {0, std::max(-distance.low, std::max<std::int64_t>(distance.high, 0))};
}

/// Runtimes subtract in the type and divide in it or in double: known where that makes no difference.
std::optional<Dim> steps_of_numbers(OpContext& op, double start, double limit, double delta) {
  const auto distance = rounded_to(limit - start, op.type(0));
  const auto quotient = distance ? rounded_to(*distance / delta, op.type(0)) : std::nullopt;  // real division
  if (!quotient || !(std::fabs(*quotient) < 1e9)) return std::nullopt;
  const double count = std::ceil(*quotient);
  if (count != std::ceil(*distance / delta) || count != std::ceil((limit - start) / delta)) {  // real division
    return std::nullopt;
  }
  return op.literal(count > 0 ? static_cast<std::int64_t>(count) : 0);
}

std::optional<Dim> float_steps(OpContext& op) {
  const auto start = op.constant_floats(0);
  const auto limit = start ? op.constant_floats(1) : std::nullopt;
  const auto delta = limit ? op.constant_floats(2) : std::nullopt;
  if (delta && start->size() == 1 && limit->size() == 1 && delta->size() == 1) {
    return steps_of_numbers(op, start->front(), limit->front(), delta->front());
  }
  std::array<Dim, 3> scalars;
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    const auto known = op.known(i);
    if (!known || known->size() != 1) return std::nullopt;
    scalars[i] = known->front();
  }
  const auto made = [&](std::string_view name, Dim a, Dim b) {
    const auto out = combine_floats(op, float_binary(name), op.type(0), {&a, 1}, {&b, 1});
    return out ? op.number(out->front()) : std::nullopt;
  };
  const auto distance = made("Sub", scalars[1], scalars[0]);
  const auto steps = distance ? made("Div", op.dim_of(*distance), scalars[2]) : std::nullopt;
  const auto count = steps ? float_unary("Ceil")(op, op.type(0), *steps) : std::nullopt;
  return count ? std::optional(op.dims().max(count->numerator, op.literal(0))) : std::nullopt;
}

/// Contents of any rank, in the file or computed; nothing when there are more than are followed.
std::optional<DimVector> elements_of(OpContext& op, std::size_t input) {
  auto known = op.contents(input);
  if (!known) known = op.known(input);
  if (known) return DimVector(known->begin(), known->end());
  const TensorId constant = op.model().constant(op.node().input(input));
  if (!constant) return std::nullopt;
  return contents_as_dims(op.state(), constant, op.type(input));
}

Truth is_zero(OpContext& op, Dim element) {
  const auto number = op.number(element);
  return number ? op.dims().equal(number->numerator, op.literal(0)) : Truth::unknown;
}

/// How many are not zero, at least and at most.
Interval count_of(OpContext& op, std::span<const Dim> elements) {
  Interval out{0, 0};
  for (const Dim element : elements) {
    const Truth zero = is_zero(op, element);
    if (zero == Truth::no) ++out.low;
    if (zero != Truth::yes) ++out.high;
  }
  return out;
}

/// Numbers of a constant, all of them.
std::optional<std::vector<double>> literals_of(OpContext& op, std::size_t input) {
  const auto elements = elements_of(op, input);
  if (!elements) return std::nullopt;
  std::vector<double> out;
  out.reserve(elements->size());
  for (const Dim element : *elements) {
    const auto number = op.number(element);
    const auto value = number ? double_of(*number) : std::nullopt;
    if (!value) return std::nullopt;
    out.push_back(*value);
  }
  return out;
}

/// How many of the slices along an axis differ; without one, how many elements.
std::optional<std::int64_t> differing(OpContext& op, std::optional<std::size_t> axis) {
  const auto values = literals_of(op, 0);
  if (!values) return std::nullopt;
  std::size_t inner = 1;
  std::size_t count = values->size();
  if (axis) {
    count = static_cast<std::size_t>(op.dim(0, *axis).value());
    for (std::size_t i = *axis + 1; i < op.rank(0); ++i) inner *= static_cast<std::size_t>(op.dim(0, i).value());
  }
  std::vector<std::vector<double>> slices(count);
  for (std::size_t block = 0; block < values->size(); block += inner * count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto from = values->begin() + static_cast<std::ptrdiff_t>(block + i * inner);
      slices[i].insert(slices[i].end(), from, from + static_cast<std::ptrdiff_t>(inner));
    }
  }
  std::ranges::sort(slices);
  slices.erase(std::unique(slices.begin(), slices.end()), slices.end());
  return static_cast<std::int64_t>(slices.size());
}

}  // namespace

void infer_non_zero(OpContext& op) {
  const Dim rank = op.has_rank(0) ? op.literal(static_cast<std::int64_t>(op.rank(0)))
                                  : op.unknown("the rank of the input is not known", 0);
  Interval range = up_to(op, op.element_count(0));
  const auto elements = elements_of(op, 0);
  if (elements) range = count_of(op, *elements);
  op.set(0, DataType::int64, {rank, op.unknown("NonZero finds as many as there are", 1, range)});
  if (!elements || range.low != range.high || op.rank(0) != 1) return;
  DimVector found;
  for (std::size_t i = 0; i < elements->size(); ++i) {
    if (is_zero(op, (*elements)[i]) == Truth::no) found.push_back(op.literal(static_cast<std::int64_t>(i)));
  }
  op.set_contents(0, found);
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
  const auto count = differing(op, has_axis ? found : std::nullopt);
  const Dim kept = count ? op.literal(*count)
                         : op.unknown("Unique keeps what differs", static_cast<std::int32_t>(axis), up_to(op, inverse));
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

/// As many as the condition says, of a list that may be shorter than the axis; without an axis, than all elements.
void infer_compress(OpContext& op) {
  constexpr std::string_view kSelects = "Compress keeps what its condition selects";
  const bool has_axis = op.attr("axis") != nullptr;
  const auto axis = has_axis && op.has_rank(0) ? op.axis(op.attr_int("axis", 0), op.rank(0)) : std::nullopt;
  if (has_axis && !axis) return op.set_type(0, op.type(0), op.has_rank(0) ? "the axis is wrong" : std::string_view{});
  const auto size = axis ? std::optional(op.dim(0, *axis)) : op.element_count(0);
  Interval range = up_to(op, size);
  if (const auto condition = op.known(1); condition && size) {
    const Dim length = op.literal(static_cast<std::int64_t>(condition->size()));
    const bool fits = op.dims().less_equal(length, *size) == Truth::yes;
    const Interval selected = count_of(op, *condition);
    range = {fits ? selected.low : 0, std::min(range.high, selected.high)};
  }
  const Dim kept = op.unknown(kSelects, static_cast<std::int32_t>(axis.value_or(0)), range);
  if (!axis) return op.set(0, op.type(0), {kept});
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  out[*axis] = kept;
  op.set(0, op.type(0), out);
}

void infer_range(OpContext& op) {
  const DataType type = op.type(0);
  const auto start = op.known(0);
  const auto limit = start ? op.known(1) : std::nullopt;
  const auto delta = limit ? op.known(2) : std::nullopt;
  const bool scalars = delta && start->size() == 1 && limit->size() == 1 && delta->size() == 1;
  const auto count = is_float(type) ? float_steps(op)
                     : scalars      ? steps(op, start->front(), limit->front(), delta->front())
                                    : std::nullopt;
  if (!count) {
    const Interval range =
        scalars && !is_float(type) ? most_steps(op, start->front(), limit->front()) : Interval{0, Interval::kMax};
    return op.set(0, type, {op.unknown("the length of Range is computed at run time", 0, range)});
  }
  op.set(0, type, {*count});
  if (!scalars || !count->is_literal() || count->value() > static_cast<std::int64_t>(kMaxKnown)) return;
  const bool is_whole = !is_float(type) || (start->front().is_literal() && delta->front().is_literal());
  if (!is_whole) return;
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
