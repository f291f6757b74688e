// The nodes around a node: who feeds it, who reads it, and the way to where a failure comes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/neighbourhood.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck {

/// A report has pictures of its first findings only: they are what is looked at, and cost stays bounded.
inline constexpr std::size_t kMaxNeighbourhoods = 500;
/// Longest name or type kept in a neighbourhood, in bytes.
inline constexpr std::size_t kMaxText = 1000;

/// Of one node, this many inputs and outputs are looked at, and this many are drawn that end in nodes not shown.
inline constexpr std::size_t kPorts = 64;

namespace picture {
/// At most kMaxText bytes of it.
[[nodiscard]] std::string cut(std::string_view text);
}  // namespace picture

struct Reach {
  std::uint32_t depth = 2;       ///< edges from victim and culprit
  std::uint32_t max_nodes = 16;  ///< nodes of the model; inputs, initializers, outputs and stubs come on top
};

/// Makes neighbourhoods of one model. The cost of one does not depend on the size of the graph or on how many users a
/// value has, except for looking for the way from culprit to victim, for which all calls together have a budget.
class NeighbourhoodFinder {
 public:
  NeighbourhoodFinder(const Model& model, const Shapes& shapes);
  NeighbourhoodFinder(const NeighbourhoodFinder&) = delete;
  NeighbourhoodFinder& operator=(const NeighbourhoodFinder&) = delete;
  ~NeighbourhoodFinder();

  struct Center {
    NodeId victim;
    NodeId culprit;          ///< where it comes from; none, or the victim itself, when there is no other node
    std::string_view value;  ///< name of the tensor at fault; "" = none
  };
  [[nodiscard]] Neighbourhood around(const Center& center, const Reach& reach = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Fills in `Finding::neighbourhood` of the first `kMaxNeighbourhoods` findings that name a node, or a graph input or
/// output; those that follow from them get none. The culprit is the first other node that the chain of reasons names.
void add_neighbourhoods(std::span<Finding> findings, const Model& model, const Shapes& shapes, const Reach& reach = {});

}  // namespace trtcheck
