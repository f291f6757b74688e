// Layers of rank 3: TensorRT has them of rank 4, with a reshape behind. It moves that reshape behind what is computed
// element by element, and fails where this leads into a branch, or out of the body of a loop.
#pragma once

#include <trtcheck/model.hpp>

#include "view/node_view.hpp"

namespace trtcheck {

/// A convolution, pooling or BatchNormalization whose result is of rank 3.
[[nodiscard]] bool is_narrow_layer(const ModelView& view, const Node& node);

/// A branch of the If computes, of one operand and element by element, with what such a layer outside of it makes, and
/// all that reads the layer does.
[[nodiscard]] bool reads_narrow_layer(const ModelView& view, NodeId id);

/// A branch of the If holds such a layer, whose sizes do not vary, and returns what it makes, after such operators or
/// none; and it holds a Loop, a Scan or a recurrent layer, which the layer does not rest on.
[[nodiscard]] bool returns_narrow_layer_beside_loop(const ModelView& view, NodeId id);

/// A Loop or Scan that certainly iterates carries what such a layer makes, after such operators or none.
[[nodiscard]] bool carries_narrow_layer(const ModelView& view, NodeId id);

}  // namespace trtcheck
