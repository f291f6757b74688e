// Sequences and optionals: what they hold is followed element by element as long as they are short, and otherwise by
// what is true of every element.
#include <algorithm>
#include <memory>

#include "shapes/ops/helpers.hpp"
#include "shapes/subgraph.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kElement = "elements of a sequence may have any size";
constexpr std::size_t kMostElements = 64;

/// Elements have unknown sizes of their own, though one shape stands for all of them.
ValueShape apart(OpContext& op, ValueShape shape) {
  if (!shape.has_rank) return shape;
  DimVector dims(shape.dims.begin(), shape.dims.end());
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (op.dims().is_exact(dims[axis])) continue;
    dims[axis] = op.unknown(kElement, static_cast<std::int32_t>(axis), op.dims().bounds(dims[axis]));
  }
  shape.dims = op.state().result.arena.copy(dims);
  return shape;
}

/// What is true of every element.
std::optional<ValueShape> every(OpContext& op, const Elements* held) {
  if (held == nullptr || held->each.empty()) return std::nullopt;
  if (!held->counted) return apart(op, held->each.front());
  ValueShape out = held->each.front();
  for (const ValueShape& each : held->each) out = either(op, out, each, kElement);
  return out;
}

void set_shape(OpContext& op, std::size_t output, const ValueShape& shape) {
  if (op.has_output(output)) op.state().at(op.node().outputs[output]) = shape;
}

/// The index that an input names among `count` elements; `fallback` when it is left out, nothing when it is not known
/// or out of range.
std::optional<std::size_t> position(OpContext& op, std::size_t input, std::size_t count, std::size_t fallback) {
  if (!op.has_input(input)) return fallback;
  const auto given = op.constant_ints(input);
  if (!given || given->size() != 1) return std::nullopt;
  const auto size = static_cast<std::int64_t>(count);
  const std::int64_t at = given->front() < 0 ? given->front() + size : given->front();
  return at >= 0 && at <= size ? std::optional(static_cast<std::size_t>(at)) : std::nullopt;
}

/// What the sequence holds, as long as not too much was copied.
std::shared_ptr<const Elements> copy_of_elements(OpContext& op, std::size_t input) {
  const Elements* held = op.elements(input);
  if (held == nullptr || held->each.size() > op.state().elements_left) return nullptr;
  op.state().elements_left -= held->each.size();
  return std::make_shared<const Elements>(*held);
}

void set_any_number_of(OpContext& op, const std::optional<ValueShape>& each) {
  if (each) op.set_elements(0, {.counted = false, .each = {*each}});
}

ValueShape part_of(OpContext& op, std::size_t axis, std::optional<Dim> size) {
  ValueShape part = op.in(0);
  DimVector dims(part.dims.begin(), part.dims.end());
  if (size) {
    dims[axis] = *size;
  } else {
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  }
  part.dims = op.state().result.arena.copy(dims);
  return part;
}

/// Parts of the same size, but for the last one. `size` nothing: of one, with that axis gone.
void split_evenly(OpContext& op, std::size_t axis, std::optional<Dim> size) {
  DimTable& t = op.dims();
  const Dim whole = op.dim(0, axis);
  const Dim step = size ? *size : op.literal(1);
  const bool is_short = whole.is_literal() && step.is_literal() && step.value() > 0 &&
                        whole.value() <= step.value() * static_cast<std::int64_t>(kMostElements);
  Elements parts;
  if (is_short) {
    for (std::int64_t from = 0; from < whole.value(); from += step.value()) {
      const Dim length = op.literal(std::min(step.value(), whole.value() - from));
      parts.each.push_back(part_of(op, axis, size ? std::optional(length) : std::nullopt));
    }
    return op.set_elements(0, std::move(parts));
  }
  const bool are_equal = !size || t.divides(step, whole) == Truth::yes;
  const Dim last = op.unknown(kElement, static_cast<std::int32_t>(axis), {0, t.bounds(step).high});
  set_any_number_of(op, part_of(op, axis, size ? std::optional(are_equal ? step : last) : std::nullopt));
}

/// ONNX Runtime joins and stacks as Concat does: all other axes are the same.
void require_joinable(OpContext& op, const Elements& held, std::optional<std::size_t> joined) {
  for (std::size_t i = 1; held.counted && i < held.each.size(); ++i) {
    for (std::size_t axis = 0; axis < held.each[i].dims.size(); ++axis) {
      if (axis == joined) continue;
      (void)op.require_equal(held.each.front().dims[axis], held.each[i].dims[axis],
                             "tensors that are joined agree on all other axes");
    }
  }
}

/// Joined along an axis, or stacked along a new one.
void join(OpContext& op, const ValueShape& first, const Elements& held) {
  const bool is_new = op.attr_int("new_axis", 0) != 0;
  const auto axis = op.axis(op.attr_int("axis", 0), first.dims.size() + (is_new ? 1 : 0));
  if (!axis) return op.set_type(0, first.type, "the axis is wrong");
  require_joinable(op, held, is_new ? std::nullopt : axis);
  DimVector out(first.dims.begin(), first.dims.end());
  const Dim unknown = op.unknown("the number of elements is not known", static_cast<std::int32_t>(*axis));
  if (is_new) {
    const Dim count = op.literal(static_cast<std::int64_t>(held.each.size()));
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(*axis), held.counted ? count : unknown);
    return op.set(0, first.type, out);
  }
  out[*axis] = held.counted ? op.literal(0) : unknown;
  for (std::size_t i = 0; held.counted && i < held.each.size(); ++i) {
    out[*axis] = op.dims().add(out[*axis], held.each[i].dims[*axis]);
  }
  op.set(0, first.type, out);
}

}  // namespace

void infer_sequence_empty(OpContext& op) {
  op.set_sequence(0, type_attribute(op, "dtype", DataType::float32));
  op.set_elements(0, {});
}

void infer_sequence_construct(OpContext& op) {
  op.set_sequence(0, op.type(0));
  Elements made;
  for (std::size_t i = 0; i < op.input_count() && i <= kMostElements; ++i) made.each.push_back(op.in(i));
  if (made.each.size() <= kMostElements) op.set_elements(0, std::move(made));
}

void infer_sequence_insert(OpContext& op) {
  op.set_sequence(0, op.type(0));
  const Elements* held = op.elements(0);
  if (held == nullptr) return;
  Elements out = *held;
  const auto at = position(op, 2, out.each.size(), out.each.size());
  if (out.counted && at && out.each.size() < kMostElements) {
    out.each.insert(out.each.begin() + static_cast<std::ptrdiff_t>(*at), op.in(1));
    return op.set_elements(0, std::move(out));
  }
  out.each.push_back(op.in(1));
  ValueShape all = out.each.front();
  for (const ValueShape& each : out.each) all = either(op, all, each, kElement);
  set_any_number_of(op, all);
}

void infer_sequence_erase(OpContext& op) {
  op.set_sequence(0, op.type(0));
  const Elements* held = op.elements(0);
  if (held == nullptr) return;
  const std::size_t count = held->each.size();
  const auto at = position(op, 1, count, count == 0 ? 0 : count - 1);
  if (!held->counted || !at || *at >= count) return set_any_number_of(op, every(op, held));
  Elements out = *held;
  out.each.erase(out.each.begin() + static_cast<std::ptrdiff_t>(*at));
  op.set_elements(0, std::move(out));
}

void infer_sequence_at(OpContext& op) {
  op.set_type(0, op.type(0), kElement);
  const Elements* held = op.elements(0);
  if (held == nullptr || held->each.empty()) return;
  const auto at = held->counted ? position(op, 1, held->each.size(), 0) : std::nullopt;
  if (at && *at == held->each.size()) return;
  const auto found = at ? std::optional(held->each[*at]) : every(op, held);
  if (found && found->has_rank) set_shape(op, 0, *found);
}

void infer_sequence_length(OpContext& op) {
  op.set(0, DataType::int64, {});
  const Elements* held = op.elements(0);
  if (held != nullptr && held->counted) op.set_known(0, {op.literal(static_cast<std::int64_t>(held->each.size()))});
}

void infer_split_to_sequence(OpContext& op) {
  op.set_sequence(0, op.type(0));
  if (!op.has_rank(0)) return;
  const auto axis = op.axis(op.attr_int("axis", 0), op.rank(0));
  if (!axis) return;
  if (!op.has_input(1)) {
    const bool keeps = op.attr_int("keepdims", 1) != 0;
    return split_evenly(op, *axis, keeps ? std::optional(op.literal(1)) : std::nullopt);
  }
  const auto sizes = op.known(1);
  const bool is_one_size = op.has_rank(1) && op.rank(1) == 0;
  if (sizes && is_one_size && sizes->size() == 1 && sizes->front().is(0)) {
    return op.conflict("the size of a part must be greater than zero", op.node().input(1));
  }
  if (sizes && is_one_size && sizes->size() == 1) return split_evenly(op, *axis, sizes->front());
  if (!sizes || is_one_size || sizes->size() > kMostElements) {
    return set_any_number_of(op, part_of(op, *axis, op.unknown(kElement, static_cast<std::int32_t>(*axis))));
  }
  Elements parts;
  for (const Dim size : *sizes) parts.each.push_back(part_of(op, *axis, size));
  op.set_elements(0, std::move(parts));
}

void infer_concat_from_sequence(OpContext& op) {
  op.set_type(0, op.type(0), kElement);
  const Elements* held = op.elements(0);
  const auto first = every(op, held);
  if (!first || !first->has_rank) return;
  join(op, *first, *held);
}

/// One value, or none and its type.
void infer_optional(OpContext& op) {
  Elements held;
  if (op.has_input(0)) {
    op.set_optional(0, op.type(0));
    held.each.push_back(op.in(0));
    held.inner = copy_of_elements(op, 0);
    return op.set_elements(0, std::move(held));
  }
  const Attribute* stated = op.attr("type");
  if (stated != nullptr && stated->tp()) {
    const Type& type = op.model().type(stated->tp());
    held.otherwise = declared_shape(op.state(), type, kElement);
    if (type.kind == Type::Kind::sequence && type.inner) {
      const ValueShape each = declared_shape(op.state(), op.model().type(type.inner), kElement);
      held.inner = std::make_shared<const Elements>(Elements{.counted = false, .each = {each}});
    }
  }
  op.set_optional(0, held.otherwise.type);
  op.set_elements(0, std::move(held));
}

void infer_optional_has_element(OpContext& op) {
  op.set(0, DataType::boolean, {});
  const Elements* held = op.elements(0);
  if (op.in(0).kind == ValueShape::Kind::optional && held != nullptr && held->counted) {
    op.set_known(0, {op.literal(held->each.empty() ? 0 : 1)});
  }
}

void infer_optional_get_element(OpContext& op) {
  const ValueShape::Kind kind = op.in(0).kind;
  // From opset 18 on a tensor or sequence passes through as it is.
  if (kind == ValueShape::Kind::tensor || kind == ValueShape::Kind::sequence) return op.set_like(0, 0);
  const Elements* held = op.elements(0);
  if (kind == ValueShape::Kind::optional && held != nullptr && held->each.size() == 1) {
    set_shape(op, 0, held->each[0]);
    if (held->inner) op.set_elements(0, Elements(*held->inner));
  }
  // Else it may hold a tensor or a sequence: nothing is said of it.
}

/// What the body of a SequenceMap sees of a sequence, and what it makes of every element.
ValueShape element_for_body(OpContext& op, std::size_t input) {
  if (const auto found = every(op, op.elements(input))) return *found;
  ValueShape shape = op.in(input);
  shape.kind = ValueShape::Kind::tensor;
  shape.reason = kElement;
  shape.reason_node = op.id();
  return shape;
}

void set_results_of_body(OpContext& op, std::size_t output, const ValueShape& each) {
  op.set_sequence(output, each.type);
  op.set_elements(output, {.counted = false, .each = {each}});
}

}  // namespace trtcheck::shapes
