#include "view/type_origin.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "schema/kinds.hpp"
#include "view/operand_types.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck {
namespace {

std::optional<std::size_t> place_in(std::span<const ValueId> values, ValueId value) {
  const auto it = std::ranges::find(values, value);
  if (it == values.end()) return std::nullopt;
  return static_cast<std::size_t>(it - values.begin());
}

GraphId body_of(const ModelView& view, NodeId id, const Node& node) {
  if (const GraphId taken = view.shapes.taken_branch(id)) return taken;
  for (const Attribute& attribute : node.attributes()) {
    if (attribute.type == AttributeType::graph && attribute.g()) return attribute.g();
  }
  return {};
}

/// A Loop's body gives its condition first.
ValueId of_body(const ModelView& view, NodeId id, const Node& node, std::size_t output) {
  const Graph& body = view.model.graph(node.call() ? node.call() : body_of(view, id, node));
  const std::size_t at = output + (node.op_type == "Loop" && !node.call() ? 1 : 0);
  return at < body.outputs.size() ? body.outputs[at] : ValueId{};
}

/// Of the inputs that have the output's type by the schema: one that is computed, rather than a constant.
ValueId like_output(const ModelView& view, NodeId id, const Node& node, std::size_t output) {
  const schema::SchemaFacts* schema = view.operators.schema(id);
  const auto like = schema != nullptr ? schema->input_like_output(output) : std::nullopt;
  if (!like) return {};
  ValueId found;
  for (std::size_t i = *like; i < node.inputs.size(); ++i) {
    const schema::InputFacts* input = schema->input(i);
    if (!node.inputs[i] || input == nullptr || input->like != *like) continue;
    if (!view.shapes.folds_to_constant(node.inputs[i])) return node.inputs[i];
    if (!found) found = node.inputs[i];
  }
  return found;
}

/// What hands its type on to the value; none: its type is decided here.
ValueId before(const ModelView& view, ValueId value) {
  const Value& made = view.model.value(value);
  if (view.model.constant(value)) return {};
  if (!made.producer) {
    const Graph& graph = view.model.graph(made.graph);
    const auto at = graph.parent ? place_in(graph.inputs, value) : std::nullopt;
    if (!at) return {};
    const Node& around = view.model.node(graph.parent);
    // The count of a Loop and its condition have types of their own.
    if (around.op_type == "Loop" && *at < 2) return {};
    // The first input of Scan was something else.
    const bool is_old_scan = around.op_type == "Scan" && view.operators.opset(graph.parent) < 9;
    return around.input(*at + (is_old_scan ? 1 : 0));
  }
  const NodeId id = made.producer;
  const Node& node = view.model.node(id);
  if (node.call() && !view.operators.runs_body(id)) return {};
  if (node.call() || node.op_type == "If" || is_a(node.op_type, kinds::loop)) {
    return of_body(view, id, node, made.output);
  }
  if (is_dequantize(node)) return node.input(1);
  if (mixed_pair(view, id)) return {};
  return like_output(view, id, node, made.output);
}

std::string named(const ModelView& view, NodeId id) {
  return fmt::format("{} `{}`", view.model.node(id).op_type, view.model.node_label(id));
}

/// An initializer or an input.
std::string named(const ModelView& view, ValueId id) {
  const Value& value = view.model.value(id);
  if (const NodeId around = view.model.graph(value.graph).parent; around && !view.model.constant(id)) {
    return fmt::format("input `{}` of the body of {}", value.name, named(view, around));
  }
  return fmt::format("the {} `{}`", view.model.constant(id) ? "initializer" : "graph input", value.name);
}

}  // namespace

TypeOrigin TypeOrigins::of(ValueId value) {
  std::vector<ValueId> way;
  TypeOrigin origin;
  // A damaged file may lead in a circle.
  for (ValueId at = value; way.size() <= view_->model.value_count();) {
    if (const auto known = known_.find(at.index); known != known_.end()) {
      origin = known->second;
      break;
    }
    way.push_back(at);
    origin = {.value = at, .node = producer_of(view_->model, at), .first = {}, .last = {}};
    const ValueId next = before(*view_, at);
    if (!next || view_->shape(next).type != view_->shape(at).type) break;
    at = next;
  }
  for (auto it = way.rbegin(); it != way.rend(); ++it) {
    // Bodies and calls hand on without a layer of their own.
    const NodeId maker = producer_of(view_->model, *it);
    const bool is_layer = maker && *it != origin.value && !view_->model.node(maker).call();
    if (is_layer) {
      ++origin.layers;
      if (!origin.first) origin.first = maker;
      origin.last = maker;
    }
    known_.emplace(it->index, origin);
  }
  return origin;
}

std::string TypeOrigins::text(ValueId value) {
  const TypeOrigin origin = of(value);
  std::string text = origin.node ? named(*view_, origin.node) : named(*view_, origin.value);
  if (origin.node) {
    const Node& node = view_->model.node(origin.node);
    if (node.op_type == "Cast" && node.input(0)) {
      const TypeOrigin data = of(node.input(0));
      if (!data.node) text += " after " + named(*view_, data.value);
    } else if (mixed_pair(*view_, origin.node)) {
      text += ", whose own operands differ in type";
    }
  }
  if (origin.layers == 1) return text + " through " + named(*view_, origin.first);
  if (origin.layers == 2) {
    return text + fmt::format(" through {} and {}", named(*view_, origin.first), named(*view_, origin.last));
  }
  if (origin.layers > 2) {
    text += fmt::format(" through {} layers, {} to {}", origin.layers, named(*view_, origin.first),
                        named(*view_, origin.last));
  }
  return text;
}

}  // namespace trtcheck
