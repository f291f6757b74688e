#include "partition/refusals.hpp"

#include <algorithm>

namespace trtcheck::partitioning {
namespace {

/// The body of that node in which another one lies.
GraphId body_around(const Model& model, NodeId outer, NodeId inner) {
  while (inner) {
    const GraphId graph = model.node(inner).graph;
    if (model.graph(graph).parent == outer) return graph;
    inner = model.graph(graph).parent;
  }
  return {};
}

}  // namespace

Verdict verdict_of(const Asked& asked, std::uint32_t position, const Refusal& refusal) {
  using Reason = Refusal::Reason;
  if (refusal.reason == Reason::excluded || refusal.reason == Reason::type) return Verdict::excluded;
  const NodeId id{asked.model.graph().first_node.index + position};
  const Node& node = asked.model.node(id);
  if (refusal.reason != Reason::body || !has_bodies(node) || asked.provider == Provider::parser) {
    return Verdict::refused;
  }
  if (asked.provider == Provider::tensorrt || !refusal.inner) return Verdict::excluded;
  const bool is_seen = body_around(asked.model, id, refusal.inner) == first_body(asked.model, node);
  return is_seen ? Verdict::excluded : Verdict::refused;
}

std::vector<Verdict> verdicts(const Asked& asked, const Refusals& found) {
  std::vector<Verdict> made(asked.uses.node_count(), Verdict::accepted);
  for (const auto& [position, refusal] : found.by_position) made[position] = verdict_of(asked, position, refusal);
  return made;
}

}  // namespace trtcheck::partitioning
