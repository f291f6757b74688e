#include "picture/neighbourhood_nodes.hpp"

#include <algorithm>
#include <unordered_set>

namespace trtcheck {
namespace {

// Of a node with very many inputs or a value with very many users, this many are looked at.
constexpr std::size_t kFeeders = 8;
constexpr std::size_t kReaders = 4;
constexpr std::size_t kMostLooks = 32;
// A way of more nodes than this, ends included, is shown by its ends.
constexpr std::size_t kLongestPath = 8;
constexpr std::size_t kPathEnd = 3;

class Choice {
 public:
  Choice(const Model& model, std::size_t limit) : model_(model), limit_(limit) {}

  [[nodiscard]] bool full() const noexcept { return nodes_.size() >= limit_; }
  /// False when it is there already, or there is no room.
  bool add(NodeId node) {
    if (!node || full() || !known_.insert(node.index).second) return false;
    nodes_.push_back(node);
    return true;
  }

  void add_path(const std::vector<NodeId>& path) {
    if (path.size() <= kLongestPath) {
      for (const NodeId node : path) add(node);
      return;
    }
    const std::size_t after = path.size() - kPathEnd;
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (i < kPathEnd || i >= after) add(path[i]);
    }
    cut_ = PathCut{path[kPathEnd - 1], path[after], after - kPathEnd};
  }

  void add_feeders(NodeId node, std::string_view first, std::vector<NodeId>& added) {
    const std::span<const ValueId> inputs = model_.node(node).inputs;
    const auto feeder = [&](ValueId input) {
      if (!input) return NodeId{};
      const NodeId producer = model_.value(input).producer;
      return producer && is_constant_node(model_, producer) ? NodeId{} : producer;
    };
    const auto is_first = [&](ValueId input) { return input && !first.empty() && model_.value(input).name == first; };
    if (const auto it = std::ranges::find_if(inputs, is_first); it != inputs.end() && add(feeder(*it))) {
      added.push_back(feeder(*it));
    }
    for (const ValueId input : inputs.first(std::min(inputs.size(), kFeeders))) {
      if (add(feeder(input))) added.push_back(feeder(input));
    }
  }

  void add_readers(NodeId node, std::vector<NodeId>& added) {
    std::size_t left = kReaders;
    std::size_t looks = kMostLooks;
    for (const ValueId output : model_.node(node).outputs) {
      if (looks == 0) break;
      if (!output) continue;
      for (const Use& use : model_.value(output).users) {
        if (left == 0 || looks == 0) break;
        --looks;
        const NodeId reader = in_graph_of(use.node, node);
        if (!reader) continue;
        if (reader != use.node) captured_.emplace_back(reader, output);
        if (!add(reader)) continue;
        added.push_back(reader);
        --left;
      }
    }
  }

  [[nodiscard]] ShownNodes done() {
    std::ranges::sort(nodes_, [this](NodeId a, NodeId b) {
      const Node& x = model_.node(a);
      const Node& y = model_.node(b);
      return x.graph != y.graph ? x.graph < y.graph : x.position < y.position;
    });
    std::erase_if(captured_, [this](const auto& read) { return !known_.contains(read.first.index); });
    std::ranges::sort(captured_);
    captured_.erase(std::unique(captured_.begin(), captured_.end()), captured_.end());
    return {std::move(nodes_), std::move(captured_), cut_};
  }

 private:
  /// The reader itself, or the node of the producer's graph that it stands in; none when it is not inside.
  [[nodiscard]] NodeId in_graph_of(NodeId reader, NodeId producer) const {
    const GraphId wanted = model_.node(producer).graph;
    while (reader && model_.node(reader).graph != wanted) reader = model_.graph(model_.node(reader).graph).parent;
    return reader;
  }

  const Model& model_;
  std::size_t limit_;
  std::vector<NodeId> nodes_;
  std::unordered_set<std::uint32_t> known_;
  std::vector<std::pair<NodeId, ValueId>> captured_;
  std::optional<PathCut> cut_;
};

}  // namespace

bool is_constant_node(const Model& model, NodeId id) noexcept {
  const Node& node = model.node(id);
  return node.op_type == "Constant" && node.domain().empty();
}

std::vector<NodeId> PathFinder::path(NodeId from, NodeId to) {
  seen_.resize(model_->node_count(), 0);
  next_.resize(model_->node_count());
  ++round_;
  std::vector<NodeId> queue{to};
  seen_[to.index] = round_;
  for (std::size_t at = 0; at < queue.size() && seen_[from.index] != round_; ++at) {
    const std::span<const ValueId> inputs = model_->node(queue[at]).inputs;
    if (inputs.size() >= budget_) return {};
    budget_ -= inputs.size() + 1;
    for (const ValueId input : inputs) {
      const NodeId producer = input ? model_->value(input).producer : NodeId{};
      if (!producer || seen_[producer.index] == round_) continue;
      seen_[producer.index] = round_;
      next_[producer.index] = queue[at];
      queue.push_back(producer);
    }
  }
  if (seen_[from.index] != round_) return {};
  std::vector<NodeId> found{from};
  while (found.back() != to) found.push_back(next_[found.back().index]);
  return found;
}

ShownNodes choose_nodes(const Model& model, PathFinder& paths, const NeighbourhoodFinder::Center& center,
                        const Reach& reach) {
  const auto& [victim, culprit, value] = center;
  Choice choice(model, reach.max_nodes);
  choice.add(victim);
  std::vector<NodeId> frontier{victim};
  if (culprit && culprit != victim) {
    choice.add(culprit);
    frontier.push_back(culprit);
    const std::vector<NodeId> down = paths.path(culprit, victim);
    choice.add_path(down.empty() ? paths.path(victim, culprit) : down);
  }
  for (std::uint32_t distance = 0; distance < reach.depth && !choice.full(); ++distance) {
    std::vector<NodeId> added;
    for (const NodeId node : frontier) choice.add_feeders(node, node == victim ? value : std::string_view{}, added);
    for (const NodeId node : frontier) choice.add_readers(node, added);
    frontier = std::move(added);
  }
  return choice.done();
}

}  // namespace trtcheck
