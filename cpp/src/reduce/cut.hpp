// Some nodes of the main graph, as edits that leave nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "subgraph/uses.hpp"

namespace trtcheck::reducing {

class Cutter {
 public:
  /// They must outlive it.
  Cutter(const Model& model, const Shapes& shapes, const Limits& limits);

  [[nodiscard]] std::uint32_t node_count() const noexcept { return uses_.node_count(); }
  /// The position of the node of the main graph in which a node lies; nothing: it lies in a definition.
  [[nodiscard]] std::optional<std::uint32_t> position_of(NodeId node) const { return uses_.position_of(node); }
  /// The edits that leave the nodes at these positions. What they read from others becomes an input, what nobody of
  /// them reads an output. Nothing: they make no output.
  /// @param positions  sorted
  /// @throws Error  such a cut is not possible
  [[nodiscard]] std::optional<std::vector<edit::Edit>> keep(std::span<const std::uint32_t> positions) const;
  /// Nodes that can be reached from one in that many steps, sorted.
  /// @param downwards  to those that read its values, too
  [[nodiscard]] std::vector<std::uint32_t> around(std::uint32_t position, std::uint32_t steps, bool downwards) const;

 private:
  const Model* model_;
  const Shapes* shapes_;
  Limits limits_;
  subgraph::Uses uses_;
};

}  // namespace trtcheck::reducing
