// A model as ONNX text, read and inferred, with a view of its first node: what facts are asked about.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

#include "view/node_view.hpp"

namespace trtcheck::test {

[[nodiscard]] inline std::vector<NodeId> all_nodes(const Model& model) {
  std::vector<NodeId> nodes;
  for (std::uint32_t i = 0; i < model.node_count(); ++i) nodes.push_back(NodeId{i});
  return nodes;
}

struct AskedNode {
  explicit AskedNode(std::string_view text)
      : bytes(onnx_bytes(text)),
        model(read_model(as_bytes(bytes))),
        shapes(infer(model)),
        tensors(model),
        nodes(all_nodes(model)),
        view(model, shapes, target, tensors, nodes),
        node(view, NodeId{0}) {}
  std::string bytes;
  Model model;
  Shapes shapes;
  Target target;
  TensorView tensors;
  std::vector<NodeId> nodes;
  ModelView view;
  NodeView node;
};

}  // namespace trtcheck::test
