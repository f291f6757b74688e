// Graphs and constant tensors that the parser reads.
#pragma once

#include <set>
#include <span>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck {

/// What the parser reaches: not branches that are never taken (it imports the taken one only), nor functions without a
/// call.
class Reached {
 public:
  Reached(const Model& model, const Shapes& shapes);
  [[nodiscard]] bool has(GraphId graph) const;

 private:
  const Model* model_;
  const Shapes* shapes_;
  std::set<GraphId> called_;  // definitions
};

/// An initializer of a graph that is reached, or a tensor in an attribute.
struct StoredTensor {
  TensorId id;
  ValueId value;               ///< the initializer's; none for a tensor in an attribute
  NodeId node;                 ///< its first reader, or the node with the attribute; none when unused
  std::string_view attribute;  ///< of the node, when the tensor is in an attribute
};

/// In the order of the model, initializers first. Unused initializers count: the parser reads them all the same
/// (onnx-tensorrt ModelImporter.cpp parseGraph, 10.10).
/// @param nodes  those that are executed
[[nodiscard]] std::vector<StoredTensor> stored_tensors(const Model& model, const Shapes& shapes,
                                                       std::span<const NodeId> nodes);

}  // namespace trtcheck
