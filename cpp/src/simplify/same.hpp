// Nodes that give back what they were given.
#pragma once

#include <trtcheck/model.hpp>

#include "simplify/known.hpp"

namespace trtcheck::simplifying {

/// The input that output 0 of the node equals, element for element; none: it may be another tensor, or another output
/// of the node is read.
[[nodiscard]] ValueId same_input(Known& known, NodeId node);

/// Reshape, Squeeze, Unsqueeze, Flatten: the elements of input 0 in their order.
[[nodiscard]] bool keeps_order(const Node& node);

/// Every element of the first type is one of the second, too.
[[nodiscard]] bool is_lossless(DataType from, DataType to) noexcept;

}  // namespace trtcheck::simplifying
