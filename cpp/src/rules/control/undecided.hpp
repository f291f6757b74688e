// Conditions that only running the engine decides.
#pragma once

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// The If in whose branch the node is, right around it, when its condition is known only at run time; none: no such If.
[[nodiscard]] inline NodeId undecided_if_around(const RuleContext& context, NodeId id) {
  const Graph& graph = context.model().graph(context.model().node(id).graph);
  if (graph.kind != Graph::Kind::body || !graph.parent) return {};
  if (context.model().node(graph.parent).op_type != "If" || context.shapes().taken_branch(graph.parent)) return {};
  return graph.parent;
}

}  // namespace trtcheck::rules
