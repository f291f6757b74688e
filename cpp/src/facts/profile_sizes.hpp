// Sizes of the symbols of a model at one point of an optimization profile.
#pragma once

#include <cstdint>
#include <vector>

#include <trtcheck/dim.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {

/// Values of the plain symbols of the graph inputs: `&ProfileInput::opt` and its like say at which point.
[[nodiscard]] std::vector<DimTable::Binding> profile_sizes(const Model& model, const Shapes& shapes,
                                                           const Target& target,
                                                           std::vector<std::int64_t> ProfileInput::*point);

}  // namespace trtcheck
