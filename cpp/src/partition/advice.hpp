// What is worth repairing, and which options of the provider help as long as it is not repaired.
#pragma once

#include <vector>

#include <trtcheck/partition.hpp>

#include "partition/refusals.hpp"
#include "partition/sizes.hpp"

namespace trtcheck::partitioning {

/// Nodes that are refused for one reason, the most useful reason first: what comes of repairing it, and of repairing it
/// after those before.
[[nodiscard]] std::vector<PartitionCause> causes(const Asked& asked, const Refusals& found, const Sizes& sizes,
                                                 const CutRules& rules);

struct Advice {
  std::vector<std::string> exclude;  ///< operator types, sorted
  std::string why_exclude;
  std::size_t least_nodes = 1;
  std::string why_least;
  Cut cut;  ///< with these
};
/// The best operator types to leave out, and the best minimal size; the size is no option of TensorRT-RTX's provider.
[[nodiscard]] Advice advice(const Asked& asked, const Refusals& found, const Sizes& sizes, const CutRules& rules);

}  // namespace trtcheck::partitioning
