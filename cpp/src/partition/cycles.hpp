// Whether pieces and the nodes between them depend on each other in a circle, as the providers look for it: nodes of
// one name count as one, so that nodes without a name may make a circle that is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "partition/line.hpp"

namespace trtcheck::partitioning {

struct CycleFound {
  std::optional<std::size_t> piece;  ///< that the provider gives up for it; nothing: there is none on the way
};

/// @param pieces  positions of each
[[nodiscard]] std::optional<CycleFound> find_cycle(const Line& line,
                                                   const std::vector<std::vector<std::uint32_t>>& pieces);

}  // namespace trtcheck::partitioning
