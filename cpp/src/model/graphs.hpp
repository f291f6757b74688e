// Which graphs of a model lie in which.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck {

inline constexpr GraphId kMainGraph{0};

/// The graphs that an attribute holds, behind those that are there.
inline void add_graphs(const Attribute& attribute, std::vector<GraphId>& to) {
  if (attribute.g()) to.push_back(attribute.g());
  to.insert(to.end(), attribute.graphs().begin(), attribute.graphs().end());
}

/// Those of all attributes of the node, in their order.
[[nodiscard]] inline std::vector<GraphId> graphs_of(const Node& node) {
  std::vector<GraphId> graphs;
  for (const Attribute& attribute : node.attributes()) add_graphs(attribute, graphs);
  return graphs;
}

/// What nodes in these graphs, and in those within them, read from around the node; as often as it is read.
[[nodiscard]] inline std::vector<ValueId> read_around(const Model& model, const Node& node) {
  std::vector<GraphId> graphs = graphs_of(node);
  std::vector<ValueId> read;
  for (std::size_t at = 0; at < graphs.size(); ++at) {
    for (const NodeId id : model.graph(graphs[at]).order) {
      const Node& inner = model.node(id);
      read.insert(read.end(), inner.inputs.begin(), inner.inputs.end());
      const std::vector<GraphId> inside = graphs_of(inner);
      graphs.insert(graphs.end(), inside.begin(), inside.end());
    }
  }
  std::erase_if(read,
                [&](ValueId id) { return !id || std::ranges::find(graphs, model.value(id).graph) != graphs.end(); });
  return read;
}

/// Some attribute of the node holds one.
[[nodiscard]] inline bool has_graphs(const Node& node) noexcept {
  return std::ranges::any_of(node.attributes(), [](const Attribute& a) { return a.g() || !a.graphs().empty(); });
}

/// The graph that a body lies in, however deep: the main graph, a call or the definition of a function. Of a graph that
/// is no body, the graph itself.
[[nodiscard]] inline GraphId graph_around(const Model& model, GraphId id) noexcept {
  while (model.graph(id).kind == Graph::Kind::body) id = model.node(model.graph(id).parent).graph;
  return id;
}

/// The main graph, or a body in it: neither calls nor definitions of functions.
[[nodiscard]] inline bool is_of_main_graph(const Model& model, GraphId id) noexcept {
  return graph_around(model, id) == kMainGraph;
}

}  // namespace trtcheck
