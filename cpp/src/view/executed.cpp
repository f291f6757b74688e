#include "view/executed.hpp"

#include <cstdint>

#include "view/build_time.hpp"
#include "view/dispatch.hpp"
#include "view/reads.hpp"

namespace trtcheck {
namespace {

enum class Which : std::uint8_t { executed, imported };

// Depth is bounded by Limits::graph_depth, kept by the reader.
void collect(const Model& model, const Shapes& shapes, const Target& target, GraphId graph, Which which,
             std::vector<NodeId>& nodes) {
  for (NodeId id : model.graph(graph).order) {
    nodes.push_back(id);
    const Node& node = model.node(id);
    if (node.call()) {
      if (handler_of(node, target) == Handler::function) collect(model, shapes, target, node.call(), which, nodes);
      continue;
    }
    const bool is_decided = node.op_type == "If" && (which == Which::executed || !shapes.imports_both_branches(id));
    const GraphId taken = is_decided ? shapes.taken_branch(id) : GraphId{};
    for (const Attribute& attribute : node.attributes()) {
      if (attribute.type == AttributeType::graph && attribute.g() && (!taken || attribute.g() == taken)) {
        collect(model, shapes, target, attribute.g(), which, nodes);
      }
      for (GraphId body : attribute.graphs()) collect(model, shapes, target, body, which, nodes);
    }
  }
}

std::vector<NodeId> nodes_of(const Model& model, const Shapes& shapes, const Target& target, Which which) {
  std::vector<NodeId> nodes;
  nodes.reserve(model.node_count());
  collect(model, shapes, target, GraphId{0}, which, nodes);
  return nodes;
}

}  // namespace

std::vector<NodeId> executed_nodes(const Model& model, const Shapes& shapes, const Target& target) {
  return nodes_of(model, shapes, target, Which::executed);
}

std::vector<NodeId> imported_nodes(const Model& model, const Shapes& shapes, const Target& target) {
  return nodes_of(model, shapes, target, Which::imported);
}

NodeId skipped_by(const Model& model, const Shapes& shapes, NodeId node) {
  while (node) {
    const GraphId id = model.node(node).graph;
    const Graph& graph = model.graph(id);
    const GraphId taken = graph.kind == Graph::Kind::body ? shapes.taken_branch(graph.parent) : GraphId{};
    if (taken && taken != id) return graph.parent;
    node = graph.parent;
  }
  return {};
}

bool is_never_compiled(const ModelView& view, NodeId node) {
  while (node && view.model.node(node).graph != GraphId{0}) {
    node = skipped_by(view.model, view.shapes, node);
    if (!node) return false;
    if (is_real_arithmetic(view, view.model.node(node).input(0)) != Truth::yes) return true;
  }
  return false;
}

bool reaches(RefusedBy who, const ModelView& view, NodeId node) {
  if (who < RefusedBy::shapes) return true;
  const bool are_kernels = who == RefusedBy::kernels;
  if (are_kernels && is_never_compiled(view, node)) return false;
  return is_needed(view.model, node, are_kernels ? Reads::data : Reads::anything);
}

}  // namespace trtcheck
