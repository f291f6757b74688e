// Graph inputs whose values are sizes: shape tensors, for which the builder wants values in the profile.
#pragma once

#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::rules {

struct ShapeInput {
  ValueId input;
  NodeId taker;  ///< the first node that takes what it holds as sizes
};

/// In the order of the graph inputs.
[[nodiscard]] std::vector<ShapeInput> shape_inputs(const Model& model, const Shapes& shapes);

}  // namespace trtcheck::rules
