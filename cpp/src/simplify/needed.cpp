#include "simplify/needed.hpp"

#include <algorithm>

namespace trtcheck::simplifying {

Needed::Needed(const Model& model, const Decisions* decisions)
    : model_(&model), decisions_(decisions), nodes_(model.node_count()), values_(model.value_count()) {
  ask_outputs(GraphId{0});
  while (!waiting_.empty()) {
    const NodeId id = waiting_.back();
    waiting_.pop_back();
    const Node& node = model.node(id);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      ask(decisions_ == nullptr ? node.inputs[i] : decisions_->reads(id, i));
    }
    if (const Decision* decision = decisions_ == nullptr ? nullptr : decisions_->of(id)) ask_parts(*decision);
    ask_bodies(node);
  }
}

void Needed::ask_parts(const Decision& decision) {
  for (const Written& written : decision.written) {
    for (const Part& part : written.parts) ask(part.value);
  }
}

void Needed::ask(ValueId value) {
  if (decisions_ != nullptr) value = decisions_->values().first(value);
  if (!value || values_[value.index]) return;
  values_[value.index] = true;
  if (decisions_ == nullptr || !decisions_->is_stored(value)) ask(model_->value(value).producer);
}

void Needed::ask(NodeId node) {
  if (!node || nodes_[node.index]) return;
  nodes_[node.index] = true;
  waiting_.push_back(node);
}

void Needed::ask_bodies(const Node& node) {
  for (const Attribute& attribute : node.attributes()) {
    if (attribute.g()) ask_outputs(attribute.g());
    for (const GraphId body : attribute.graphs()) ask_outputs(body);
  }
}

void Needed::ask_outputs(GraphId id) {
  const Graph& graph = model_->graph(id);
  for (const ValueId output : graph.outputs) ask(output);
  for (std::uint32_t i = 0; i < graph.node_count; ++i) {
    const NodeId node{graph.first_node.index + i};
    // What makes nothing is there for something else.
    const auto is_named = [](ValueId output) { return static_cast<bool>(output); };
    if (std::ranges::none_of(model_->node(node).outputs, is_named)) ask(node);
  }
}

}  // namespace trtcheck::simplifying
