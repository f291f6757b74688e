// Which nodes of a model a picture shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trtcheck/model.hpp>

#include "picture/neighbourhood.hpp"

namespace trtcheck {

/// A way too long to be shown: `hidden` nodes between two that are.
struct PathCut {
  NodeId before;  ///< upstream of the hidden ones
  NodeId after;
  std::size_t hidden = 0;
};

struct ShownNodes {
  std::vector<NodeId> nodes;                         ///< in order of graph and place
  std::vector<std::pair<NodeId, ValueId>> captured;  ///< nodes whose bodies read a value of the graph around them
  std::optional<PathCut> cut;
};

/// Looks for ways through the graph; keeps its marks between calls.
class PathFinder {
 public:
  explicit PathFinder(const Model& model) : model_(&model) {}
  /// A shortest way along producers, both ends included; empty when there is none or the budget of all calls is spent.
  [[nodiscard]] std::vector<NodeId> path(NodeId from, NodeId to);

 private:
  const Model* model_;
  std::uint32_t round_ = 0;
  std::size_t budget_ = 5'000'000;  // edges looked at
  std::vector<std::uint32_t> seen_;
  std::vector<NodeId> next_;
};

/// Victim, culprit and the way between them, then whoever makes the tensor at fault, then others by distance.
[[nodiscard]] ShownNodes choose_nodes(const Model& model, PathFinder& paths, const NeighbourhoodFinder::Center& center,
                                      const Reach& reach);

/// A node whose value is known from the file, drawn like an initializer.
[[nodiscard]] bool is_constant_node(const Model& model, NodeId id) noexcept;

}  // namespace trtcheck
