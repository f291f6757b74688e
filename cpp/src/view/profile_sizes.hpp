// Sizes of the symbols of a model at one point of an optimization profile.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <trtcheck/dim.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {

/// Values of the symbols of the graph inputs, of an axis `4*h + 1` that of `h`, sorted by name: `&ProfileInput::opt`
/// and its like say at which point.
[[nodiscard]] std::vector<DimTable::Binding> profile_sizes(const Model& model, const Shapes& shapes,
                                                           const Target& target,
                                                           std::vector<std::int64_t> ProfileInput::*point);

/// `DimTable::evaluate`, which looks for each symbol in all bindings: there may be thousands of inputs.
/// @param sizes  of profile_sizes
[[nodiscard]] std::optional<std::int64_t> evaluate_at(const DimTable& dims, Dim dim,
                                                      std::span<const DimTable::Binding> sizes);

}  // namespace trtcheck
