// From findings to the nodes that they are about.
#include <algorithm>
#include <string_view>

#include "check/neighbourhood.hpp"

namespace trtcheck {
namespace {

/// The first step of the chain that is about another node.
NodeId culprit_of(const Finding& finding) {
  const auto is_elsewhere = [&](const Note& note) { return note.node_id && note.node_id != finding.node_id; };
  const auto it = std::ranges::find_if(finding.notes, is_elsewhere);
  return it == finding.notes.end() ? finding.caused_by : it->node_id;
}

/// A finding about a graph input or output is shown at the first node that reads it, or the one that makes it.
NodeId node_at_value(std::string_view name, const Model& model) {
  if (name.empty()) return {};
  for (const ValueId id : model.graph().inputs) {
    const Value& value = model.value(id);
    if (value.name == name && !value.users.empty()) return value.users.front().node;
  }
  for (const ValueId id : model.graph().outputs) {
    if (model.value(id).name == name) return model.value(id).producer;
  }
  return {};
}

}  // namespace

void add_neighbourhoods(std::span<Finding> findings, const Model& model, const Shapes& shapes, const Reach& reach) {
  NeighbourhoodFinder finder(model, shapes);
  std::size_t left = kMaxNeighbourhoods;
  for (Finding& finding : findings) {
    if (left == 0) return;
    const NodeId victim = finding.node_id ? finding.node_id : node_at_value(finding.value, model);
    if (!victim) continue;
    const NodeId culprit = finding.node_id ? culprit_of(finding) : NodeId{};
    finding.neighbourhood = finder.around({victim, culprit, finding.value}, reach);
    --left;
  }
}

}  // namespace trtcheck
