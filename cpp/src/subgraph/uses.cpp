#include "subgraph/uses.hpp"

#include <algorithm>

#include "model/graphs.hpp"
#include "subgraph/reached.hpp"

namespace trtcheck::subgraph {

Uses::Uses(const Model& model)
    : model_(&model),
      outermost_(outermost_nodes(model)),
      reads_(model.graph().node_count),
      read_by_(model.value_count()) {
  const auto note = [&](std::uint32_t position, ValueId id) {
    if (!id || model.value(id).graph != kMainGraph) return;
    std::vector<std::uint32_t>& readers = read_by_[id.index];
    const auto at = std::ranges::lower_bound(readers, position);
    if (at != readers.end() && *at == position) return;
    readers.insert(at, position);
    reads_[position].push_back(id);
  };
  for (std::uint32_t i = 0; i < model.node_count(); ++i) {
    const auto position = position_of(NodeId{i});
    if (!position) continue;
    for (const ValueId input : model.node(NodeId{i}).inputs) note(*position, input);
  }
  for (std::uint32_t g = 1; g < model.graph_count(); ++g) {
    if (!outermost_[g]) continue;
    for (const ValueId output : model.graph(GraphId{g}).outputs) note(model.node(outermost_[g]).position, output);
  }
}

std::optional<std::uint32_t> Uses::position_of(NodeId id) const {
  const Node& node = model_->node(id);
  if (node.graph == kMainGraph) return node.position;
  const NodeId outer = outermost_[node.graph.index];
  return outer ? std::optional(model_->node(outer).position) : std::nullopt;
}

}  // namespace trtcheck::subgraph
