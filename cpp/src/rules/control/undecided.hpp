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

/// Whether the branches return one size. Other rules speak of ranks: yes, when these differ or are unknown.
[[nodiscard]] inline Truth sizes_equal(const RuleContext& context, const ValueShape& a, const ValueShape& b) {
  if (!a.has_rank || !b.has_rank || a.rank() != b.rank()) return Truth::yes;
  Truth all = Truth::yes;
  for (std::size_t axis = 0; axis < a.rank(); ++axis) {
    const Truth equal = context.dims().equal(a.dims[axis], b.dims[axis]);
    if (equal == Truth::no) return Truth::no;
    if (equal == Truth::unknown) all = Truth::unknown;
  }
  return all;
}

}  // namespace trtcheck::rules
