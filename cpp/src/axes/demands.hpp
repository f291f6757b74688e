// What the nodes of a model need of its sizes, each need once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <trtcheck/shapes.hpp>

namespace trtcheck::axis {

struct Demand {
  const Obligation* first;  ///< of the shapes
  std::size_t others = 0;   ///< further obligations that ask the same
};
/// Of sizes without unknowns, in the order of the obligations.
/// @param most  so many are looked at
[[nodiscard]] std::vector<Demand> demands(const Shapes& shapes, std::size_t most);

/// "`past + seq` must equal `mask_len`, or one of them must be 1".
[[nodiscard]] std::string demand_text(DimTable& dims, const Obligation& obligation);

}  // namespace trtcheck::axis
