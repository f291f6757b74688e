// The constant tensors that the parser reads: initializers of graphs that are reached and tensors in attributes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

struct StoredTensor {
  TensorId id;
  ValueId value;               ///< the initializer's; none for a tensor in an attribute
  NodeId node;                 ///< its first reader, or the node with the attribute; none when unused
  std::string_view attribute;  ///< of the node, when the tensor is in an attribute
};

/// "initializer `w`", "`value` of Constant `c1`"
std::string tensor_name(const RuleContext& context, const StoredTensor& tensor);

/// In the order of the model, initializers first. Unused initializers count: the parser reads them all the same
/// (onnx-tensorrt ModelImporter.cpp parseGraph, 10.10).
std::vector<StoredTensor> stored_tensors(const RuleContext& context);

/// "FLOAT[3,4]"
std::string tensor_text(const Tensor& tensor);

/// The value of an external_data key; nothing when it is not there.
std::optional<std::string_view> external_entry(const Tensor& tensor, std::string_view key);

}  // namespace trtcheck::rules
