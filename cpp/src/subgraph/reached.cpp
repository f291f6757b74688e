#include "subgraph/reached.hpp"

namespace trtcheck::subgraph {

Reached::Reached(const Model& model, const std::vector<ValueId>& outputs, const std::vector<bool>& cut)
    : model_(&model), cut_(&cut), nodes_(model.node_count()), values_(model.value_count()) {
  for (const ValueId output : outputs) {
    output_ = output;
    ask(output);
    while (!waiting_.empty()) {
      const NodeId id = waiting_.back();
      waiting_.pop_back();
      ask_inputs(id);
    }
  }
}

void Reached::ask(ValueId id) {
  if (!id || values_[id.index]) return;
  const Value& value = model_->value(id);
  // What a body makes goes with the body.
  if (value.graph != GraphId{0}) return;
  values_[id.index] = true;
  if ((*cut_)[id.index] || value.initializer) return;
  if (!value.producer) {
    (value.is_input ? missing_ : undefined_).push_back({id, output_});
    return;
  }
  if (nodes_[value.producer.index]) return;
  nodes_[value.producer.index] = true;
  waiting_.push_back(value.producer);
}

void Reached::ask_inputs(NodeId id) {
  const Node& node = model_->node(id);
  for (const ValueId input : node.inputs) ask(input);
  for (const Attribute& attribute : node.attributes()) {
    if (attribute.g()) ask_body(attribute.g());
    for (const GraphId body : attribute.graphs()) ask_body(body);
  }
}

// As deep as graphs are nested, which the reader limits.
void Reached::ask_body(GraphId id) {
  const Graph& graph = model_->graph(id);
  for (const ValueId output : graph.outputs) ask(output);
  for (std::uint32_t i = 0; i < graph.node_count; ++i) ask_inputs(NodeId{graph.first_node.index + i});
}

std::vector<NodeId> outermost_nodes(const Model& model) {
  std::vector<NodeId> nodes(model.graph_count());
  for (std::uint32_t g = 0; g < model.graph_count(); ++g) {
    GraphId at{g};
    while (model.graph(at).parent) {
      nodes[g] = model.graph(at).parent;
      at = model.node(nodes[g]).graph;
    }
    if (at != GraphId{0}) nodes[g] = {};
  }
  return nodes;
}

}  // namespace trtcheck::subgraph
