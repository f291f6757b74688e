#include "shapes/op_context.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "dims/product.hpp"
#include "model/attributes.hpp"
#include "shapes/infer.hpp"
#include "shapes/known_values.hpp"

namespace trtcheck::shapes {

namespace {

// onnx refuses to write out shapes of a higher rank; files that build one by Unsqueeze are hostile.
constexpr std::size_t kMaxRank = 1024;

/// The numbers of a Constant that has them as an attribute rather than as a tensor.
std::optional<std::vector<double>> listed_floats(const Model& model, ValueId id) {
  const NodeId producer = model.value(id).producer;
  if (!producer || model.node(producer).op_type != "Constant") return std::nullopt;
  for (const Attribute& attribute : model.node(producer).attributes()) {
    if (attribute.name == "value_float") return std::vector<double>{static_cast<double>(attribute.f())};
    if (attribute.name == "value_floats") {
      return std::vector<double>(attribute.floats().begin(), attribute.floats().end());
    }
  }
  return std::nullopt;
}

}  // namespace

OpContext::OpContext(InferState& state, NodeId node) noexcept
    : state_(&state), node_(node), at_(&state.model.node(node)) {
  for (std::size_t i = 0; i < kFirst && i < at_->inputs.size(); ++i) first_[i] = find_input(i);
}

const Model& OpContext::model() const noexcept { return state_->model; }
NodeId OpContext::id() const noexcept { return node_; }
std::int64_t OpContext::opset() const noexcept { return state_->opset(node().graph, node().domain()); }
DimTable& OpContext::dims() noexcept { return state_->result.dims; }
bool OpContext::as_tensorrt() const noexcept { return state_->options.as_tensorrt; }

std::size_t OpContext::input_count() const noexcept { return node().inputs.size(); }
std::size_t OpContext::output_count() const noexcept { return node().outputs.size(); }

const ValueShape* OpContext::find_input(std::size_t i) const noexcept {
  const ValueId id = node().input(i);
  return id && !state_->omitted[id.index] ? &state_->at(id) : nullptr;
}

bool OpContext::has_output(std::size_t i) const noexcept { return static_cast<bool>(node().output(i)); }

std::optional<std::span<const Dim>> OpContext::known(std::size_t i) const noexcept {
  if (!has_input(i)) return std::nullopt;
  const ValueId id = node().input(i);
  const ValueShape& shape = state_->at(id);
  if (shape.is_known) {
    const bool is_too_long = shape.known.size() > kShortContents && state_->long_contents_left == 0;
    return is_too_long ? std::nullopt : std::optional(shape.known);
  }
  if (!is_float(shape.type) || !shape.has_rank || shape.rank() > 1) return std::nullopt;
  decode_known(*state_, id);
  if (!shape.is_known) return std::nullopt;
  return shape.known;
}

std::optional<std::span<const Dim>> OpContext::contents(std::size_t i) const noexcept {
  if (!has_input(i)) return std::nullopt;
  const ValueId id = node().input(i);
  if (state_->at(id).is_known) return state_->at(id).known;
  const auto found = state_->result.matrices.find(id.index);
  if (found == state_->result.matrices.end()) return std::nullopt;
  return found->second;
}

const Elements* OpContext::elements(std::size_t i) const noexcept {
  if (!has_input(i)) return nullptr;
  const auto found = state_->result.elements.find(node().input(i).index);
  return found == state_->result.elements.end() ? nullptr : &found->second;
}

std::optional<std::vector<std::int64_t>> OpContext::constant_ints(std::size_t i) const {
  if (!has_input(i)) return std::nullopt;
  if (const auto contents = known(i)) {
    std::vector<std::int64_t> out;
    out.reserve(contents->size());
    for (const Dim dim : *contents) {
      if (!dim.is_literal()) break;
      out.push_back(dim.value());
    }
    if (out.size() == contents->size()) return out;
  }
  // Numbers beyond the reach of a Dim (INT64_MAX as the end of a Slice) stand in the file only.
  const TensorId constant = state_->model.constant(node().input(i));
  return constant ? integer_contents(*state_, constant) : std::nullopt;
}

std::optional<std::vector<double>> OpContext::constant_floats(std::size_t i) const {
  if (!has_input(i)) return std::nullopt;
  if (const TensorId constant = state_->model.constant(node().input(i))) {
    return float_contents(*state_, constant);
  }
  if (auto listed = listed_floats(state_->model, node().input(i))) return listed;
  const ValueShape& shape = in(i);
  if (!shape.is_known) return std::nullopt;
  std::vector<double> out;
  for (const Dim dim : shape.known) {
    const auto number_here = number(dim);
    const auto value = number_here ? double_of(*number_here) : std::nullopt;
    if (!value) return std::nullopt;
    out.push_back(*value);
  }
  return out;
}

std::optional<Number> OpContext::number(Dim element) const { return state_->result.numbers[element]; }

Dim OpContext::dim_of(const Number& number) {
  if (number.is_whole()) return number.numerator;
  return state_->result.numbers.dim_of(dims(), number, {node_.index, -1, "the number is not whole"});
}

Dim OpContext::open_number(std::string_view reason) {
  return state_->result.numbers.open(dims(), {node_.index, -1, reason});
}

std::optional<Dim> OpContext::element_count(std::size_t i) {
  if (!has_rank(i)) return std::nullopt;
  return product(dims(), in(i).dims);
}

// --- attributes -----------------------------------------------------------------------------------------

const Attribute* OpContext::attr(std::string_view name) const noexcept { return node().attribute(name); }

std::int64_t OpContext::attr_int(std::string_view name, std::int64_t fallback) const noexcept {
  return int_attribute(node(), name, fallback);
}

float OpContext::attr_float(std::string_view name, float fallback) const noexcept {
  const Attribute* found = attr(name);
  return found != nullptr && found->type == AttributeType::float_ ? found->f() : fallback;
}

std::string_view OpContext::attr_string(std::string_view name, std::string_view fallback) const noexcept {
  const Attribute* found = attr(name);
  return found != nullptr && found->type == AttributeType::string ? found->s() : fallback;
}

std::optional<std::span<const std::int64_t>> OpContext::attr_ints(std::string_view name) const noexcept {
  const Attribute* found = attr(name);
  if (found == nullptr || found->type != AttributeType::ints) return std::nullopt;
  return found->ints();
}

// --- outputs --------------------------------------------------------------------------------------------

std::span<const Dim> OpContext::kept(std::span<const Dim> dims) {
  // Most results are as large as an input: one copy serves them all.
  const auto same = [](Dim a, Dim b) { return a.same(b); };
  for (std::size_t i = 0; i < input_count() && i < 2; ++i) {
    if (has_rank(i) && std::ranges::equal(in(i).dims, dims, same)) return in(i).dims;
  }
  return state_->result.arena.copy(dims);
}

void OpContext::set(std::size_t output, DataType type, std::span<const Dim> dims) {
  const ValueId id = node().output(output);
  if (!id) return;
  if (dims.size() > kMaxRank) return set_type(output, type, "rank above 1,024");
  if (!state_->may_keep_dims(dims.size())) return set_type(output, type, "too many tensors of high rank");
  ValueShape shape;
  shape.kind = ValueShape::Kind::tensor;
  shape.type = type;
  shape.has_rank = true;
  shape.dims = kept(dims);
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (!dims[axis].is_literal() || dims[axis].value() >= 0) continue;
    conflict(fmt::format("axis {} of output {} would have the size {}", axis, output, dims[axis].value()), id,
             static_cast<int>(axis));
    DimVector repaired(dims.begin(), dims.end());
    for (Dim& dim : repaired) {
      if (dim.is_literal() && dim.value() < 0) dim = unknown("the size would be negative", static_cast<int>(axis));
    }
    shape.dims = state_->result.arena.copy(repaired);
    break;
  }
  state_->at(id) = shape;
}

void OpContext::set_type(std::size_t output, DataType type, std::string_view why_no_rank) {
  const ValueId id = node().output(output);
  if (!id) return;
  ValueShape shape;
  shape.kind = ValueShape::Kind::tensor;
  shape.type = type;
  const std::string_view unread = unread_behind(state_->model, state_->result, node_);
  shape.reason = unread.empty() ? why_no_rank : unread;
  shape.reason_node = node_;
  for (std::size_t i = 0; shape.reason.empty() && i < input_count(); ++i) {
    if (!has_input(i) || has_rank(i)) continue;
    shape.reason = in(i).reason;
    shape.reason_node = in(i).reason_node;
  }
  if (shape.reason.empty()) shape.reason = "not enough is known of the inputs";
  state_->at(id) = shape;
}

void OpContext::set_known(std::size_t output, std::span<const Dim> contents) {
  const ValueId id = node().output(output);
  if (!id || contents.size() > kMaxKnown) return;
  ValueShape& shape = state_->at(id);
  if (shape.kind != ValueShape::Kind::tensor || !shape.has_rank || shape.rank() > 1) return;
  const std::size_t count = contents.size();
  const bool fits = shape.rank() == 0 ? count == 1 : shape.dims[0].is(static_cast<std::int64_t>(count));
  if (!fits || !state_->may_follow(count)) return;
  shape.is_known = true;
  shape.known = state_->result.arena.copy(contents);
}

void OpContext::set_contents(std::size_t output, std::span<const Dim> contents) {
  const ValueId id = node().output(output);
  if (!id || contents.size() > kMaxKnown || !state_->at(id).has_rank) return;
  if (state_->at(id).rank() <= 1) return set_known(output, contents);
  std::int64_t count = 1;
  for (const Dim dim : state_->at(id).dims) {
    if (!dim.is_literal() || dim.value() > static_cast<std::int64_t>(kMaxKnown)) return;
    count *= dim.value();
    if (count > static_cast<std::int64_t>(kMaxKnown)) return;
  }
  if (count != static_cast<std::int64_t>(contents.size()) || !state_->may_follow(contents.size())) return;
  state_->result.matrices[id.index] = state_->result.arena.copy(contents);
}

void OpContext::set_like(std::size_t output, std::size_t input) {
  const ValueId id = node().output(output);
  if (!id) return;
  const ValueShape& from = in(input);
  if (from.kind == ValueShape::Kind::tensor && !from.has_rank) return set_type(output, from.type, {});
  if (!state_->may_keep_dims(from.dims.size())) return set_type(output, from.type, "too many tensors of high rank");
  ValueShape shape = from;
  shape.is_known = false;
  shape.known = {};
  shape.assumed = false;
  shape.differs = false;
  state_->at(id) = shape;
  if (from.kind != ValueShape::Kind::tensor) copy_elements(*state_, node().input(input), id);
}

void OpContext::differs_in_tensorrt() noexcept { state_->differs = true; }

void OpContext::set_unknown(std::size_t output, std::string_view reason) {
  const ValueId id = node().output(output);
  if (!id) return;
  ValueShape shape;
  shape.reason = reason;
  shape.reason_node = node_;
  state_->at(id) = shape;
}

void OpContext::set_sequence(std::size_t output, DataType element) {
  const ValueId id = node().output(output);
  if (!id) return;
  ValueShape shape;
  shape.kind = ValueShape::Kind::sequence;
  shape.type = element;
  state_->at(id) = shape;
}

void OpContext::set_optional(std::size_t output, DataType element) {
  set_sequence(output, element);
  const ValueId id = node().output(output);
  if (id) state_->at(id).kind = ValueShape::Kind::optional;
}

void OpContext::set_elements(std::size_t output, Elements elements) {
  const ValueId id = node().output(output);
  if (!id || elements.each.size() > state_->elements_left) return;
  state_->elements_left -= elements.each.size();
  for (ValueShape& each : elements.each) {
    each.is_known = false;
    each.known = {};
  }
  state_->result.elements.insert_or_assign(id.index, std::move(elements));
}

Dim OpContext::unknown(std::string_view reason, std::int32_t axis, Interval range) {
  const std::string_view unread = unread_behind(state_->model, state_->result, node_);
  return dims().unknown({node_.index, axis, unread.empty() ? reason : unread}, range);
}

// --- relations ------------------------------------------------------------------------------------------

bool OpContext::require_equal(Dim a, Dim b, std::string_view why) {
  if (a.same(b)) return true;
  const Truth truth = dims().equal(a, b);
  if (truth == Truth::unknown)
    state_->result.obligations.push_back({node_, Obligation::Need::equal, a, b, why, about_});
  if (truth == Truth::no) conflict(fmt::format("{}: {} is not {}", why, dims().text(a), dims().text(b)));
  return truth != Truth::no;
}

bool OpContext::require_divides(Dim divisor, Dim dividend, std::string_view why) {
  const Truth truth = dims().divides(divisor, dividend);
  if (truth == Truth::unknown) {
    state_->result.obligations.push_back({node_, Obligation::Need::divides, dividend, divisor, why, about_});
  }
  if (truth == Truth::no) {
    conflict(fmt::format("{}: {} is not a multiple of {}", why, dims().text(dividend), dims().text(divisor)));
  }
  return truth != Truth::no;
}

bool OpContext::require_at_least(Dim a, Dim b, std::string_view why) {
  const Truth truth = dims().less_equal(b, a);
  if (truth == Truth::unknown)
    state_->result.obligations.push_back({node_, Obligation::Need::at_least, a, b, why, about_});
  if (truth == Truth::no) conflict(fmt::format("{}: {} is less than {}", why, dims().text(a), dims().text(b)));
  return truth != Truth::no;
}

bool OpContext::require_one_or_equal(Dim a, Dim b, std::string_view why) {
  if (a.is(1) || a.same(b)) return true;
  const Truth equal = dims().equal(a, b);
  if (equal == Truth::yes) return true;
  if (equal == Truth::no && dims().equal(a, literal(1)) == Truth::no) {
    conflict(fmt::format("{}: {} is neither 1 nor {}", why, dims().text(a), dims().text(b)));
    return false;
  }
  state_->result.obligations.push_back({node_, Obligation::Need::one_or_equal, a, b, why, about_});
  return true;
}

void OpContext::conflict(std::string message, ValueId value, int axis) {
  state_->result.conflicts.push_back({node_, std::move(message), value, axis, {}, about_});
}

void OpContext::onnx_forbids(std::string message, std::string_view taken_as, ValueId value, int axis) {
  state_->result.conflicts.push_back({node_, std::move(message), value, axis, taken_as, about_});
}

void OpContext::standard_forbids(std::string message, ValueId value, int axis) {
  state_->result.conflicts.push_back({.node = node_,
                                      .message = std::move(message),
                                      .value = value,
                                      .axis = axis,
                                      .taken_as = "it was not measured what TensorRT makes of it",
                                      .id = about_,
                                      .is_of_standard = true});
}

std::optional<std::size_t> OpContext::axis(std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) {
    conflict(rank == 0 ? fmt::format("axis {} of a scalar", axis)
                       : fmt::format("axis {} is outside of [{}, {}]", axis, -signed_rank, signed_rank - 1));
    return std::nullopt;
  }
  return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

}  // namespace trtcheck::shapes
