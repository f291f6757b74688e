// What the conditions of shape inference let each axis be.
#pragma once

#include <vector>

#include <trtcheck/axes.hpp>

#include "profile/axes.hpp"

namespace trtcheck::axis {

/// Of the axes of inputs, in the order of `inputs`.
[[nodiscard]] std::vector<DynamicAxis> axes_of_inputs(const Model& model, const Shapes& shapes,
                                                      const profiles::OpenInputs& inputs);
/// Symbols that outputs declare, and no input has.
[[nodiscard]] std::vector<DynamicAxis> axes_of_outputs(const Model& model, const Shapes& shapes,
                                                       const profiles::OpenInputs& inputs);

}  // namespace trtcheck::axis
