// A model as ONNX text, read and inferred, with a view of its first or last node, or of its first Elu, GRU or RNN: what
// facts are asked about.
#pragma once

#include <algorithm>
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
  enum class Asked : std::uint8_t { first, last, elu, recurrent };

  explicit AskedNode(std::string_view text, Asked asked = Asked::first)
      : bytes(onnx_bytes(text)),
        model(read_model(as_bytes(bytes))),
        shapes(infer(model)),
        tensors(model),
        nodes(all_nodes(model)),
        view(model, shapes, target, tensors, nodes),
        node(view, found(asked)) {}
  std::string bytes;
  Model model;
  Shapes shapes;
  Target target;
  TensorView tensors;
  std::vector<NodeId> nodes;
  ModelView view;
  NodeView node;

 private:
  [[nodiscard]] NodeId found(Asked asked) const {
    if (asked == Asked::first) return NodeId{0};
    if (asked == Asked::last) return nodes.back();
    return *std::ranges::find_if(nodes, [&](NodeId id) {
      const std::string_view op = model.node(id).op_type;
      return asked == Asked::elu ? op == "Elu" : op == "GRU" || op == "RNN";
    });
  }
};

}  // namespace trtcheck::test
