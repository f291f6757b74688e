#include "subgraph/called_functions.hpp"

#include <cstdint>

#include "model/graphs.hpp"

namespace trtcheck::subgraph {

CalledFunctions::CalledFunctions(const Model& model) : model_(&model), graphs_(model.functions().size()) {
  std::map<GraphId, std::size_t> definitions;
  for (std::size_t i = 0; i < model.functions().size(); ++i) {
    const Function& function = model.functions()[i];
    by_name_.emplace(std::tuple(function.domain, function.name, function.overload), i);
    definitions.emplace(function.definition, i);
  }
  for (std::uint32_t g = 0; g < model.graph_count(); ++g) {
    if (const auto found = definitions.find(graph_around(model, {g})); found != definitions.end())
      graphs_[found->second].push_back({g});
  }
}

void CalledFunctions::add(const Node& node) {
  meet(node);
  while (!waiting_.empty()) {
    const std::size_t function = waiting_.back();
    waiting_.pop_back();
    enter(function);
  }
}

void CalledFunctions::meet(const Node& node) {
  domains_.insert(node.domain());
  const auto found = by_name_.find(std::tuple(node.domain(), node.op_type, node.overload()));
  if (found != by_name_.end() && called_.insert(found->second).second) waiting_.push_back(found->second);
}

void CalledFunctions::enter(std::size_t function) {
  for (const GraphId id : graphs_[function]) {
    const Graph& graph = model_->graph(id);
    for (std::uint32_t i = 0; i < graph.node_count; ++i) meet(model_->node(NodeId{graph.first_node.index + i}));
  }
}

}  // namespace trtcheck::subgraph
