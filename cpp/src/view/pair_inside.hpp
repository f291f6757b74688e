// A Q/DQ pair inside of what TensorRT would make one kernel: between a convolution and the BatchNormalization or
// activation behind it.
#pragma once

#include <optional>
#include <vector>

#include "view/node_view.hpp"

namespace trtcheck {

struct PairInside {
  NodeId q;                          ///< of the pair
  std::vector<NodeId> behind;        ///< what reads the pair: BatchNormalization and activations, at least one
  bool is_quantized_behind = false;  ///< behind each of them, or what is fused with it, stands a pair of its own
};

/// The pair is all that reads `result`, the result of a convolution or of the BatchNormalization behind one, and what
/// reads the pair would fuse with the convolution; nothing: it does not.
[[nodiscard]] std::optional<PairInside> pair_inside(const ModelView& view, ValueId result);

/// The node that a pair splits `id` from: a convolution, or the BatchNormalization behind one; none: there is no such
/// pair.
[[nodiscard]] NodeId split_from(const ModelView& view, NodeId id);

}  // namespace trtcheck
