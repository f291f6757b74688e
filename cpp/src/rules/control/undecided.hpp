// Conditions that only running the engine decides.
#pragma once

#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules {

/// The If whose branch the graph is, when its condition is known only at run time; none: no such If.
[[nodiscard]] inline NodeId undecided_if_of(const RuleContext& context, GraphId id) {
  const Graph& graph = context.model().graph(id);
  if (graph.kind != Graph::Kind::body || !graph.parent) return {};
  if (context.model().node(graph.parent).op_type != "If" || context.shapes().taken_branch(graph.parent)) return {};
  return graph.parent;
}

/// The same of the graph in which the node is, right around it.
[[nodiscard]] inline NodeId undecided_if_around(const RuleContext& context, NodeId id) {
  return undecided_if_of(context, context.model().node(id).graph);
}

/// The same of the graph and those around it, the innermost first.
[[nodiscard]] inline NodeId undecided_if_above(const RuleContext& context, GraphId id) {
  const Model& model = context.model();
  while (true) {
    if (const NodeId found = undecided_if_of(context, id)) return found;
    const NodeId parent = model.graph(id).parent;
    if (!parent) return {};
    id = model.node(parent).graph;
  }
}

/// What bodies do is measured from 10.16 on: before that, the finding is a warning.
inline void doubt_before_measured(const RuleContext& context, FindingBuilder& finding) {
  if (context.has(gates::sizes_of_branches_measured)) return;
  finding.severity(Severity::warning)
      .certainty(Certainty::possible)
      .note("TensorRT 10.16 and later refuse such a model; nothing is known of older releases");
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
