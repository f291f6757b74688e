// From findings to the nodes that they are about.
#include <string>
#include <string_view>
#include <unordered_map>

#include "check/neighbourhood.hpp"

namespace trtcheck {
namespace {

/// Nodes by label, as findings name them. A label is looked for in one graph and those around it.
class Labels {
 public:
  explicit Labels(const Model& model) : model_(model) {}

  [[nodiscard]] NodeId find(const std::string& label, GraphId graph) {
    if (nodes_.empty()) fill();
    while (true) {
      if (const auto it = nodes_.find(key(label, graph)); it != nodes_.end()) return it->second;
      const NodeId parent = model_.graph(graph).parent;
      if (!parent) return {};
      graph = model_.node(parent).graph;
    }
  }

 private:
  static std::string key(const std::string& label, GraphId graph) { return label + '\0' + std::to_string(graph.index); }

  void fill() {
    nodes_.reserve(model_.node_count());
    for (std::uint32_t i = 0; i < model_.node_count(); ++i) {
      nodes_.try_emplace(key(model_.node_label(NodeId{i}), model_.node(NodeId{i}).graph), NodeId{i});
    }
  }

  const Model& model_;
  std::unordered_map<std::string, NodeId> nodes_;
};

NodeId culprit_of(const Finding& finding, const Model& model, Labels& labels) {
  const GraphId graph = model.node(finding.node_id).graph;
  for (const Note& note : finding.notes) {
    if (note.node.empty() || note.node == finding.node) continue;
    if (const NodeId node = labels.find(note.node, graph)) return node;
  }
  return finding.caused_by;
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
  Labels labels(model);
  std::size_t left = kMaxNeighbourhoods;
  for (Finding& finding : findings) {
    if (left == 0) return;
    const NodeId victim = finding.node_id ? finding.node_id : node_at_value(finding.value, model);
    if (!victim) continue;
    const NodeId culprit = finding.node_id ? culprit_of(finding, model, labels) : NodeId{};
    finding.neighbourhood = finder.around({victim, culprit, finding.value}, reach);
    --left;
  }
}

}  // namespace trtcheck
