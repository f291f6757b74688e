// A model of pieces alone: what one reads of another, or of a node in none, is an input of its own.
#pragma once

#include <cstdint>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "subgraph/uses.hpp"

namespace trtcheck::partitioning {

struct Separated {
  Model model;
  std::vector<std::uint32_t> positions;  ///< in the old model, of each node of the main graph
};

/// One check of it is a check of each piece.
/// @param pieces      positions of nodes of the main graph; a position stands in one at most
/// @param is_refused  of each position: a Constant node that is not is part of every piece
/// @throws Error  it cannot be read
[[nodiscard]] Separated separated(const Model& model, const Shapes& shapes, const subgraph::Uses& uses,
                                  const std::vector<std::vector<std::uint32_t>>& pieces,
                                  const std::vector<bool>& is_refused, const Limits& limits);

}  // namespace trtcheck::partitioning
