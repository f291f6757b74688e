// Pieces in the words of the model.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <trtcheck/partition.hpp>

#include "partition/refusals.hpp"
#include "partition/sizes.hpp"

namespace trtcheck::partitioning {

/// What a set of nodes of the main graph reads and makes, in the order of execution; constants are no part of it.
struct Border {
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
};
[[nodiscard]] Border border_of(const Asked& asked, const std::vector<std::uint32_t>& positions);

/// "" = it runs.
[[nodiscard]] std::string why_not(CutPiece::Fate fate, const CutRules& rules);

/// In the order of execution, numbered from 1.
[[nodiscard]] std::vector<GraphPiece> pieces_of(const Asked& asked, const Refusals& found, const Sizes& sizes,
                                                const Cut& made, const CutRules& rules);

/// For a picture: nodes, or where there are many the pieces.
[[nodiscard]] PartitionGraph graph_of(const Asked& asked, const Cut& made);

}  // namespace trtcheck::partitioning
