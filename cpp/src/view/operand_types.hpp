// Element types of a node's inputs, as the network has them and as ONNX asks for them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "view/node_view.hpp"

namespace trtcheck {

/// "FP32", "FP16", "BF16", "INT8", "INT32", "INT64" or "BOOL", as the network has it: DOUBLE is FP32, constants of
/// UINT8 are INT32. Empty where the type is not known for certain, or is none of these.
[[nodiscard]] std::string_view operand_type(const ModelView& view, ValueId id);

struct MixedPair {
  ValueId first;
  ValueId other;               ///< of another type than `first`, though ONNX gives both one
  std::vector<ValueId> group;  ///< all operands of known type that have one type by the schema, in their order
};

/// The first two that differ among the inputs which have one type by the operator's schema.
[[nodiscard]] std::optional<MixedPair> mixed_pair(const ModelView& view, NodeId node);

}  // namespace trtcheck
