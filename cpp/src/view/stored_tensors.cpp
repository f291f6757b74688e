#include "view/stored_tensors.hpp"

#include <cstdint>
#include <tuple>

namespace trtcheck {

Reached::Reached(const Model& model, const Shapes& shapes) : model_(&model), shapes_(&shapes) {
  using Key = std::tuple<std::string_view, std::string_view, std::string_view>;
  std::set<Key> called;
  for (std::uint32_t i = 0; i < model.graph_count(); ++i) {
    const Graph& graph = model.graph(GraphId{i});
    if (graph.kind != Graph::Kind::function_call) continue;
    const Node& call = model.node(graph.parent);
    called.emplace(call.op_type, call.domain(), call.overload());
  }
  for (const Function& function : model.functions()) {
    if (called.contains({function.name, function.domain, function.overload})) called_.insert(function.definition);
  }
}

bool Reached::has(GraphId graph) const {
  while (true) {
    const Graph& g = model_->graph(graph);
    if (g.kind == Graph::Kind::function_definition) return called_.contains(graph);
    if (!g.parent) return true;
    const GraphId taken = shapes_->taken_branch(g.parent);
    const bool is_skipped = g.kind == Graph::Kind::body && taken && taken != graph;
    if (is_skipped && !shapes_->imports_both_branches(g.parent)) return false;
    graph = model_->node(g.parent).graph;
  }
}

std::vector<StoredTensor> stored_tensors(const Model& model, const Shapes& shapes, std::span<const NodeId> nodes) {
  const Reached reached(model, shapes);
  std::vector<StoredTensor> found;
  for (std::uint32_t i = 0, end = static_cast<std::uint32_t>(model.value_count()); i < end; ++i) {
    const Value& value = model.value(ValueId{i});
    if (!value.initializer || !reached.has(value.graph)) continue;
    const NodeId reader = value.users.empty() ? NodeId{} : value.users.front().node;
    found.push_back({value.initializer, ValueId{i}, reader, {}});
  }
  for (const NodeId id : nodes) {
    for (const Attribute& attribute : model.node(id).attributes()) {
      if (attribute.type != AttributeType::tensor || !attribute.t()) continue;
      found.push_back({attribute.t(), {}, id, attribute.name});
    }
  }
  return found;
}

}  // namespace trtcheck
