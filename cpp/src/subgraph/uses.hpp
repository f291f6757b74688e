// Who reads what in the main graph; what bodies read counts as read by the node that has them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck::subgraph {

class Uses {
 public:
  explicit Uses(const Model& model);

  [[nodiscard]] std::uint32_t node_count() const noexcept { return static_cast<std::uint32_t>(reads_.size()); }
  /// The position of the node of the main graph in which a node lies; nothing: it lies in a definition.
  [[nodiscard]] std::optional<std::uint32_t> position_of(NodeId node) const;
  /// Values of the main graph that the node there reads, each once.
  [[nodiscard]] std::span<const ValueId> reads(std::uint32_t position) const noexcept { return reads_[position]; }
  /// Positions of the nodes that read a value, in their order.
  [[nodiscard]] std::span<const std::uint32_t> readers(ValueId id) const noexcept { return read_by_[id.index]; }

 private:
  const Model* model_;
  std::vector<NodeId> outermost_;
  std::vector<std::vector<ValueId>> reads_;          ///< per node of the main graph
  std::vector<std::vector<std::uint32_t>> read_by_;  ///< per value
};

}  // namespace trtcheck::subgraph
