#include "cure/cures/inlining.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

namespace trtcheck::cure {
namespace {

// Before IR version 4 an initializer has to be an input, too.
constexpr std::int64_t kOwnInitializers = 4;

bool has_graph(const Node& node) {
  return std::ranges::any_of(node.attributes(), [](const Attribute& attribute) {
    return attribute.type == AttributeType::graph || attribute.type == AttributeType::graphs;
  });
}

/// The node of the function's definition that a node of a call is a clone of.
NodeId written_node(const Model& model, const Node& node) {
  const GraphId graph = node.graph;
  const Node& call = model.node(model.graph(graph).parent);
  for (const Function& function : model.functions()) {
    if (function.name != call.op_type || function.domain != call.domain() || function.overload != call.overload())
      continue;
    const Graph& definition = model.graph(function.definition);
    if (node.position >= definition.node_count) return {};
    return NodeId{definition.first_node.index + node.position};
  }
  return {};
}

bool refers(const Node& node) {
  return std::ranges::any_of(node.attributes(), [](const Attribute& a) { return !a.ref_attr_name.empty(); });
}

/// A node in a body of this one.
bool refers_inside(const Model& model, NodeId node) {
  for (std::uint32_t i = 0; i < model.graph_count(); ++i) {
    const Graph& graph = model.graph(GraphId{i});
    bool is_inside = false;
    for (NodeId parent = graph.parent; parent && !is_inside; parent = model.graph(model.node(parent).graph).parent) {
      is_inside = parent == node;
    }
    if (is_inside && std::ranges::any_of(graph.order, [&](NodeId id) { return refers(model.node(id)); })) return true;
  }
  return false;
}

std::optional<edit::AttributeValue::Value> value_of(const Attribute& attribute) {
  switch (attribute.type) {
    case AttributeType::float_:
      return attribute.f();
    case AttributeType::int_:
      return attribute.i();
    case AttributeType::string:
      return std::string(attribute.s());
    case AttributeType::floats:
      return std::vector<float>(attribute.floats().begin(), attribute.floats().end());
    case AttributeType::ints:
      return std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
    case AttributeType::strings:
      return std::vector<std::string>(attribute.strings().begin(), attribute.strings().end());
    default:
      return std::nullopt;
  }
}

}  // namespace

Inlining::Inlining(Draft& draft, GraphId body, bool is_written_once)
    : draft_(&draft),
      body_(body),
      owner_(draft.model().graph(body).parent),
      is_function_(draft.model().graph(body).kind == Graph::Kind::function_call),
      keeps_names_(is_written_once && !is_function_) {
  const Model& model = draft.model();
  std::vector<bool> is_inside(model.graph_count());
  for (std::uint32_t i = 0; i < model.graph_count(); ++i) is_inside[i] = is_inner(GraphId{i});
  std::unordered_set<std::string_view> inside;
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const Value& value = model.value(ValueId{i});
    if (is_inside[value.graph.index]) inside.insert(value.name);
  }
  // There may be many bodies in a large model: a table of all names for each of them would take long.
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const Value& value = model.value(ValueId{i});
    if (!is_inside[value.graph.index] && inside.contains(value.name)) outside_.insert(value.name);
  }
}

/// It goes away with the node.
bool Inlining::is_inner(GraphId graph) const {
  const Model& model = draft_->model();
  while (graph && graph != GraphId{0}) {
    const NodeId parent = model.graph(graph).parent;
    if (parent == owner_) return true;
    graph = parent ? model.node(parent).graph : GraphId{};
  }
  return false;
}

bool Inlining::is_captured_inside(ValueId value) const {
  const Model& model = draft_->model();
  const auto& users = model.value(value).users;
  if (std::ranges::any_of(users, [&](const Use& use) { return model.node(use.node).graph != body_; })) return true;
  for (std::uint32_t i = 0; i < model.graph_count(); ++i) {
    const Graph& graph = model.graph(GraphId{i});
    if (GraphId{i} == body_ || graph.kind != Graph::Kind::body) continue;
    if (std::ranges::find(graph.outputs, value) != graph.outputs.end() && model.value(value).graph == body_)
      return true;
  }
  return false;
}

/// Values that a body further inside reads keep their name; others get one that is new.
std::string Inlining::own_name(ValueId value) const {
  const std::string_view name = draft_->model().value(value).name;
  const bool may_stay = keeps_names_ && !outside_.contains(name);
  return may_stay ? std::string(name) : draft_->fresh(name);
}

std::string Inlining::name_of(ValueId value) {
  if (!value) return {};
  const Value& known = draft_->model().value(value);
  if (known.graph != body_) return std::string(known.name);
  const auto [at, is_new] = names_.try_emplace(value);
  if (is_new) at->second = own_name(value);
  return at->second;
}

std::string Inlining::why_not() const {
  const Model& model = draft_->model();
  const Graph& body = model.graph(body_);
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const Value& value = model.value(ValueId{i});
    if (value.graph != body_ || !is_captured_inside(ValueId{i})) continue;
    if (keeps_names_ && !value.is_input && !outside_.contains(value.name)) continue;
    return fmt::format("a body inside of it reads `{}`, whose name cannot stay", value.name);
  }
  for (const TensorId id : body.initializers) {
    if (model.tensor(id).is_sparse) return fmt::format("`{}` is sparse", model.tensor(id).name);
  }
  for (const NodeId id : body.order) {
    const Node& node = model.node(id);
    if (!node.overload().empty()) return fmt::format("`{}` calls an overload of a function", model.node_label(id));
    if (is_function_ && !resolved_attributes(id)) {
      return fmt::format("an attribute of `{}` is one of the function, of a type that cannot be written",
                         model.node_label(id));
    }
  }
  return {};
}

std::optional<Draft::Attributes> Inlining::resolved_attributes(NodeId id) const {
  const Model& model = draft_->model();
  const Node& node = model.node(id);
  const NodeId written = is_function_ ? written_node(model, node) : NodeId{};
  Draft::Attributes attributes;
  if (!written || (!refers(model.node(written)) && !has_graph(node))) return attributes;
  // Bodies are copied as they are written: what refers to the function in them would refer to nothing.
  if (has_graph(node)) {
    return refers(model.node(written)) || refers_inside(model, written) ? std::nullopt : std::optional(attributes);
  }
  for (const Attribute& attribute : node.attributes()) {
    auto value = value_of(attribute);
    if (!value) return std::nullopt;
    attributes.push_back({std::string(attribute.name), *std::move(value)});
  }
  return attributes;
}

void Inlining::write_initializers() {
  const Model& model = draft_->model();
  const bool may_store = !draft_->place().graph.function && model.ir_version() >= kOwnInitializers;
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const Value& value = model.value(ValueId{i});
    if (value.graph != body_ || !value.initializer || names_.contains(ValueId{i})) continue;
    if (may_store) {
      draft_->add(edit::CopyTensor{edit::place_of(model, body_), std::string(value.name), draft_->place().graph,
                                   name_of(ValueId{i})});
    } else if (const auto constant = draft_->contents(ValueId{i})) {
      names_[ValueId{i}] = draft_->constant(*constant, value.name);
    }
  }
}

void Inlining::write_node(NodeId id) {
  const Model& model = draft_->model();
  const Node& node = model.node(id);
  edit::NewNode made{.op_type = std::string(node.op_type),
                     .inputs = {},
                     .outputs = {},
                     .attributes = {},
                     .name = std::string(node.name),
                     .domain = std::string(node.domain()),
                     .like = edit::place_of(model, id)};
  for (const ValueId input : node.inputs) made.inputs.push_back(name_of(input));
  for (const ValueId output : node.outputs) made.outputs.push_back(name_of(output));
  const NodeId written = is_function_ ? written_node(model, node) : NodeId{};
  if (written && refers(model.node(written))) {
    made.attributes = *resolved_attributes(id);
    made.like.reset();
  }
  draft_->add(edit::InsertNode{draft_->place().graph, draft_->place().position, std::move(made)});
}

void Inlining::write(NamesOf given, const std::vector<std::string>& made) {
  const Model& model = draft_->model();
  const Graph& body = model.graph(body_);
  names_ = std::move(given);
  std::vector<bool> is_made(body.outputs.size(), false);
  for (std::size_t i = 0; i < body.outputs.size(); ++i) {
    const ValueId output = body.outputs[i];
    const bool is_its_own = model.value(output).graph == body_ && model.value(output).producer;
    if (i >= made.size() || made[i].empty() || !is_its_own || names_.contains(output) || is_captured_inside(output))
      continue;
    names_[output] = made[i];
    is_made[i] = true;
  }
  write_initializers();
  for (const NodeId id : body.order) write_node(id);
  outputs_.clear();
  for (std::size_t i = 0; i < body.outputs.size(); ++i) {
    outputs_.push_back(name_of(body.outputs[i]));
    if (is_made[i] || i >= made.size() || made[i].empty()) continue;
    draft_->op_to({made[i]}, "Identity", {outputs_[i]});
    outputs_[i] = made[i];
  }
}

}  // namespace trtcheck::cure
