// Where a node comes from in the user's program, as far as the exporter wrote it down.
//
// The dynamo exporter of PyTorch leaves the Python stack and the module scopes in the node's metadata_props; the
// TorchScript exporter leaves a stack in doc_string (with verbose=True) and the module path in the node's name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include <trtcheck/model.hpp>

#include "provenance/python_stack.hpp"

namespace trtcheck::rules {

struct Provenance {
  RecordedLines lines;
  std::string module;  ///< "encoder.layers.10"; "" = not recorded, or the root module
};

/// Of the nodes of one model, each read once: a stack may be long, and many findings may name one node.
class Provenances {
 public:
  explicit Provenances(const Model& model) noexcept : model_(&model) {}
  /// A node without a record of its own takes that of the node whose body or call it stands in. The reference stays.
  [[nodiscard]] const Provenance& of(NodeId node);

 private:
  const Model* model_;
  std::unordered_map<std::uint32_t, Provenance> found_;
};

/// "['', 'layers.0', 'layers.0.conv', 'conv2d']" -> "layers.0.conv": the last entry is the operator.
std::string module_from_scopes(std::string_view scopes);
/// ": m.Net/layers.0: m.Block/conv2d: aten.conv2d.default" -> "layers.0".
std::string module_from_namespace(std::string_view text);
/// "/layer1/layer1.0/conv/Conv" -> "layer1.0.conv"; "" when the name is not of that form.
std::string module_from_node_name(std::string_view name);

}  // namespace trtcheck::rules
