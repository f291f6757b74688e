// From findings to the nodes that they are about.
#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "picture/neighbourhood.hpp"

namespace trtcheck {
namespace {

/// The first step of the chain that is about another node.
NodeId culprit_of(const Finding& finding) {
  const auto is_elsewhere = [&](const Note& note) { return note.node_id && note.node_id != finding.node_id; };
  const auto it = std::ranges::find_if(finding.notes, is_elsewhere);
  return it == finding.notes.end() ? finding.caused_by : it->node_id;
}

/// A finding about a graph input or output is shown at the first node that reads it, or the one that makes it. Looked
/// up by name once the first finding asks: a file may have a million inputs.
class NodesAtValues {
 public:
  explicit NodesAtValues(const Model& model) : model_(&model) {}

  [[nodiscard]] NodeId at(std::string_view name) {
    if (name.empty()) return {};
    if (!std::exchange(is_made_, true)) make();
    const auto found = nodes_.find(name);
    return found == nodes_.end() ? NodeId{} : found->second;
  }

 private:
  void make() {
    for (const ValueId id : model_->graph().inputs) {
      const Value& value = model_->value(id);
      if (!value.users.empty()) nodes_.emplace(value.name, value.users.front().node);
    }
    for (const ValueId id : model_->graph().outputs) {
      const Value& value = model_->value(id);
      nodes_.emplace(value.name, value.producer);
    }
  }

  const Model* model_;
  bool is_made_ = false;
  std::unordered_map<std::string_view, NodeId> nodes_;
};

}  // namespace

void add_neighbourhoods(std::span<Finding> findings, const Model& model, const Shapes& shapes, const Reach& reach) {
  NeighbourhoodFinder finder(model, shapes);
  NodesAtValues at_values(model);
  std::size_t left = kMaxNeighbourhoods;
  for (Finding& finding : findings) {
    if (left == 0) return;
    const NodeId victim = finding.node_id ? finding.node_id : at_values.at(finding.value);
    if (!victim) continue;
    const NodeId culprit = finding.node_id ? culprit_of(finding) : NodeId{};
    finding.neighbourhood = finder.around({victim, culprit, finding.value}, reach);
    --left;
  }
}

}  // namespace trtcheck
