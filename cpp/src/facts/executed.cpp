#include "facts/executed.hpp"

#include "facts/dispatch.hpp"

namespace trtcheck {
namespace {

// Depth is bounded by Limits::graph_depth, kept by the reader.
void collect(const Model& model, const Shapes& shapes, const Target& target, GraphId graph,
             std::vector<NodeId>& nodes) {
  for (NodeId id : model.graph(graph).order) {
    nodes.push_back(id);
    const Node& node = model.node(id);
    if (node.call()) {
      if (handler_of(node, target) == Handler::function) collect(model, shapes, target, node.call(), nodes);
      continue;
    }
    const GraphId taken = node.op_type == "If" ? shapes.taken_branch(id) : GraphId{};
    for (const Attribute& attribute : node.attributes()) {
      if (attribute.type == AttributeType::graph && attribute.g() && (!taken || attribute.g() == taken)) {
        collect(model, shapes, target, attribute.g(), nodes);
      }
      for (GraphId body : attribute.graphs()) collect(model, shapes, target, body, nodes);
    }
  }
}

}  // namespace

std::vector<NodeId> executed_nodes(const Model& model, const Shapes& shapes, const Target& target) {
  std::vector<NodeId> nodes;
  nodes.reserve(model.node_count());
  collect(model, shapes, target, GraphId{0}, nodes);
  return nodes;
}

}  // namespace trtcheck
