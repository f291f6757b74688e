#include "rules/ops/functions.hpp"

#include <algorithm>

namespace trtcheck::rules {
namespace {

template <class Wanted>
const Function* find_function(const Model& model, Wanted wanted) noexcept {
  const auto functions = model.functions();
  const auto found = std::ranges::find_if(functions, wanted);
  return found == functions.end() ? nullptr : &*found;
}

/// The graph of a definition that the graph is a copy of; none: it is no copy.
GraphId original_of(const Model& model, const Graph& graph) noexcept {
  if (graph.kind == Graph::Kind::function_call) {
    const Function* function = function_of(model, model.node(graph.parent));
    return function == nullptr ? GraphId{} : function->definition;
  }
  if (graph.kind != Graph::Kind::body) return {};
  const NodeId owner = definition_of(model, graph.parent);
  if (!owner) return {};
  const Attribute* body = model.node(owner).attribute(graph.attribute);
  return body == nullptr || body->type != AttributeType::graph ? GraphId{} : body->g();
}

}  // namespace

const Function* function_of(const Model& model, const Node& call) noexcept {
  return find_function(model, [&](const Function& function) {
    return function.name == call.op_type && function.domain == call.domain() && function.overload == call.overload();
  });
}

const Function* first_of_name(const Model& model, const Node& call) noexcept {
  return find_function(model, [&](const Function& function) { return function.name == call.op_type; });
}

// Recursion over graphs that stand in each other, which the reader limits (Limits::graph_depth).
NodeId definition_of(const Model& model, NodeId node) noexcept {
  const Node& copy = model.node(node);
  const Graph& original = model.graph(original_of(model, model.graph(copy.graph)));
  if (copy.position >= original.node_count) return {};
  const NodeId found{original.first_node.index + copy.position};
  return model.node(found).op_type == copy.op_type ? found : NodeId{};
}

}  // namespace trtcheck::rules
