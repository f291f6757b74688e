#include "cure/draft.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "cure/numbers.hpp"
#include "schema/facts.hpp"

namespace trtcheck::cure {
namespace {

edit::TensorValue value_of(const Constant& constant) {
  return {.type = constant.type,
          .dims = constant.dims,
          .bytes = std::string(reinterpret_cast<const char*>(constant.bytes.data()), constant.bytes.size())};
}

}  // namespace

Draft::Draft(Patient& patient, NodeId node) : patient_(&patient), id_(node) {
  if (node) place_ = edit::place_of(model(), node);
}

std::int64_t Draft::opset() const noexcept { return model().opset(node().graph).value_or(0); }

bool Draft::is_read(ValueId id) const {
  return id && (model().value(id).is_output || !model().value(id).users.empty());
}

std::optional<DataType> Draft::type(ValueId id) const {
  const ValueShape& shape = shapes()[id];
  if (!id || shape.kind != ValueShape::Kind::tensor || shape.type == DataType::undefined) return std::nullopt;
  return shape.type;
}

std::optional<std::size_t> Draft::rank(ValueId id) const {
  const ValueShape& shape = shapes()[id];
  if (!id || shape.kind != ValueShape::Kind::tensor || !shape.has_rank) return std::nullopt;
  return shape.rank();
}

std::optional<std::vector<std::int64_t>> Draft::sizes(ValueId id) const {
  if (!rank(id)) return std::nullopt;
  std::vector<std::int64_t> sizes;
  for (const Dim dim : shapes()[id].dims) {
    if (!dim.is_literal()) return std::nullopt;
    sizes.push_back(dim.value());
  }
  return sizes;
}

std::optional<Constant> Draft::contents(ValueId id) { return patient_->folder.value(id); }

std::optional<std::vector<std::int64_t>> Draft::ints(ValueId id) {
  const std::optional<Constant> constant = contents(id);
  if (!constant) return std::nullopt;
  return whole_numbers(*constant);
}

std::int64_t Draft::int_attribute(std::string_view name, std::int64_t otherwise) const {
  const Attribute* given = node().attribute(name);
  return given != nullptr && given->type == AttributeType::int_ ? given->i() : otherwise;
}

float Draft::float_attribute(std::string_view name, float otherwise) const {
  const Attribute* given = node().attribute(name);
  return given != nullptr && given->type == AttributeType::float_ ? given->f() : otherwise;
}

std::string Draft::text_attribute(std::string_view name, std::string_view otherwise) const {
  const Attribute* given = node().attribute(name);
  return std::string(given != nullptr && given->type == AttributeType::string ? given->s() : otherwise);
}

std::optional<std::vector<std::int64_t>> Draft::ints_attribute(std::string_view name) const {
  const Attribute* given = node().attribute(name);
  if (given == nullptr || given->type != AttributeType::ints) return std::nullopt;
  return std::vector<std::int64_t>(given->ints().begin(), given->ints().end());
}

bool Draft::may_use(std::string_view op_type) const {
  const Support support = op_support(op_type, target().release).support;
  return (support == Support::supported || support == Support::experimental) &&
         schema::schema_facts("", op_type, opset()) != nullptr;
}

void Draft::insert(edit::NewNode made) {
  edits_.emplace_back(edit::InsertNode{place_.graph, place_.position + (is_after_ ? 1U : 0U), std::move(made)});
}

std::string Draft::op(std::string_view op_type, Inputs inputs, Attributes attributes) {
  return ops(op_type, std::move(inputs), std::move(attributes), 1).front();
}

std::vector<std::string> Draft::ops(std::string_view op_type, Inputs inputs, Attributes attributes,
                                    std::size_t outputs) {
  const std::string base = out(0).empty() ? std::string(op_type) : fmt::format("{}/{}", out(0), op_type);
  std::vector<std::string> made;
  for (std::size_t i = 0; i < outputs; ++i) made.push_back(fresh(base));
  op_to(made, op_type, std::move(inputs), std::move(attributes));
  return made;
}

void Draft::op_to(std::vector<std::string> outputs, std::string_view op_type, Inputs inputs, Attributes attributes) {
  insert({.op_type = std::string(op_type),
          .inputs = std::move(inputs),
          .outputs = std::move(outputs),
          .attributes = std::move(attributes)});
}

void Draft::again(Inputs inputs, std::vector<std::string> outputs, Attributes attributes) {
  insert({.op_type = std::string(node().op_type),
          .inputs = std::move(inputs),
          .outputs = std::move(outputs),
          .attributes = std::move(attributes),
          .name = {},
          .domain = std::string(node().domain()),
          .like = place_});
}

std::string Draft::constant(edit::TensorValue tensor, std::string_view base) {
  std::string name = fresh(out(0).empty() ? std::string(base) : fmt::format("{}/{}", out(0), base));
  // Before IR version 4 an initializer has to be an input, too.
  constexpr std::int64_t kOwnInitializers = 4;
  if (place_.graph.function || model().ir_version() < kOwnInitializers) {
    edits_.emplace_back(edit::InsertNode{
        place_.graph,
        place_.position,
        {.op_type = "Constant", .inputs = {}, .outputs = {name}, .attributes = {{"value", std::move(tensor)}}}});
  } else {
    edits_.emplace_back(edit::PutTensor{place_.graph, name, std::move(tensor)});
  }
  return name;
}

std::string Draft::constant(const Constant& tensor, std::string_view base) { return constant(value_of(tensor), base); }

std::string Draft::ints_constant(const std::vector<std::int64_t>& values, std::string_view base) {
  edit::TensorValue tensor{.type = DataType::int64, .dims = {static_cast<std::int64_t>(values.size())}};
  tensor.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int64_t));
  return constant(std::move(tensor), base);
}

std::string Draft::int_constant(std::int64_t value, std::string_view base) {
  return scalar(static_cast<double>(value), DataType::int64, base);
}

std::string Draft::scalar(double value, DataType type, std::string_view base) {
  return constant(edit::TensorValue{.type = type, .dims = {}, .bytes = number_bytes(value, type)}, base);
}

void Draft::set_input(std::size_t index, std::string name) { set_input_of(id_, index, std::move(name)); }

void Draft::set_input_of(NodeId node, std::size_t index, std::string name) {
  edits_.emplace_back(
      edit::SetInput{edit::place_of(model(), node), static_cast<std::uint32_t>(index), std::move(name)});
}

void Draft::set_output(std::size_t index, std::string name) {
  edits_.emplace_back(edit::SetOutput{place_, static_cast<std::uint32_t>(index), std::move(name)});
}

void Draft::set_attribute(std::string_view name, edit::AttributeValue::Value value) {
  edits_.emplace_back(edit::SetAttribute{place_, {std::string(name), std::move(value)}});
}

void Draft::drop_attribute(std::string_view name) {
  if (node().attribute(name) != nullptr) edits_.emplace_back(edit::RemoveAttribute{place_, std::string(name)});
}

void Draft::set_operator(std::string_view op_type, std::string_view domain) {
  edits_.emplace_back(edit::SetOperator{place_, std::string(op_type), std::string(domain)});
}

void Draft::remove() { edits_.emplace_back(edit::RemoveNode{place_}); }

void Draft::remove_node(NodeId node) { edits_.emplace_back(edit::RemoveNode{edit::place_of(model(), node)}); }

void Draft::rewire(ValueId from, const std::string& to) {
  for (const Use& use : model().value(from).users) set_input_of(use.node, use.input, to);
}

void Draft::becomes(std::size_t output, const std::string& made) {
  const std::string name = out(output);
  bool is_new = false;
  for (edit::Edit& edit : edits_) {
    auto* const inserted = std::get_if<edit::InsertNode>(&edit);
    if (inserted == nullptr) continue;
    const auto found = std::ranges::find(inserted->node.outputs, made);
    if (found != inserted->node.outputs.end()) {
      is_new = true;
      *found = name;
    } else if (is_new) {
      std::ranges::replace(inserted->node.inputs, made, name);
    }
  }
  if (!is_new) op_to({name}, "Identity", {made});
}

bool Draft::refuse(std::string reason) {
  refusal_ = std::move(reason);
  return false;
}

}  // namespace trtcheck::cure
