// Which graphs of a model lie in which.
#pragma once

#include <trtcheck/model.hpp>

namespace trtcheck {

inline constexpr GraphId kMainGraph{0};

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
