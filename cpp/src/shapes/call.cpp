// Calls of model-local functions: every call has a body of its own, so one pass suffices.
#include <fmt/core.h>

#include "shapes/infer.hpp"

namespace trtcheck::shapes {

namespace {

// Deeper nesting than the reader allows cannot occur; this is the belt to its braces.
constexpr std::uint32_t kMaxDepth = 256;

}  // namespace

void copy_shape(InferState& state, ValueId from, ValueId to) {
  state.at(to) = state.at(from);
  state.result.folds[to.index] = state.result.folds[from.index];
  copy_elements(state, from, to);
}

void copy_elements(InferState& state, ValueId from, ValueId to) {
  if (state.result.elements.empty()) return;
  const auto found = state.result.elements.find(from.index);
  const bool is_kept = found != state.result.elements.end() && found->second.each.size() <= state.elements_left;
  if (!is_kept) {
    state.result.elements.erase(to.index);
    return;
  }
  state.elements_left -= found->second.each.size();
  state.result.elements.insert_or_assign(to.index, Elements(found->second));
}

void infer_call(InferState& state, NodeId id) {
  const Node& node = state.model.node(id);
  OpContext op(state, id);
  if (state.depth >= kMaxDepth) {
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      op.set_type(i, DataType::undefined, "functions nest too deep");
    return;
  }
  const Graph& body = state.model.graph(node.call());
  for (std::size_t i = 0; i < body.inputs.size(); ++i) {
    const ValueId parameter = body.inputs[i];
    if (!parameter) continue;
    if (op.has_input(i)) {
      copy_shape(state, node.inputs[i], parameter);
      state.omitted[parameter.index] = false;
    } else {
      state.at(parameter) = ValueShape{};
      state.at(parameter).reason = "the call leaves this input out";
      state.at(parameter).reason_node = id;
      state.omitted[parameter.index] = true;
    }
  }
  if (node.outputs.size() < body.outputs.size()) {
    op.standard_forbids(
        fmt::format("the call has {} outputs, its function has {}", node.outputs.size(), body.outputs.size()));
  }
  infer_graph(state, node.call());
  for (std::size_t i = 0; i < node.outputs.size() && i < body.outputs.size(); ++i) {
    if (node.outputs[i] && body.outputs[i]) copy_shape(state, body.outputs[i], node.outputs[i]);
  }
}

}  // namespace trtcheck::shapes
