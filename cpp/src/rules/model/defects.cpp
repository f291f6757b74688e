#include "rules/model/defects.hpp"

#include <cstdint>
#include <string_view>
#include <tuple>

namespace trtcheck::rules {
Reached::Reached(const RuleContext& context) : context_(&context) {
  const Model& model = context.model();
  using Key = std::tuple<std::string_view, std::string_view, std::string_view>;
  std::set<Key> called;
  for (std::uint32_t i = 0; i < model.graph_count(); ++i) {
    const Graph& graph = model.graph(GraphId{i});
    if (graph.kind != Graph::Kind::function_call) continue;
    const Node& call = model.node(graph.parent);
    called.emplace(call.op_type, call.domain, call.overload);
  }
  for (const Function& function : model.functions()) {
    if (called.contains({function.name, function.domain, function.overload})) called_.insert(function.definition);
  }
}

bool Reached::has(GraphId graph) const {
  const Model& model = context_->model();
  while (true) {
    const Graph& g = model.graph(graph);
    if (g.kind == Graph::Kind::function_definition) return called_.contains(graph);
    if (!g.parent) return true;
    const GraphId taken = context_->shapes().taken_branch(g.parent);
    if (g.kind == Graph::Kind::body && taken && taken != graph) return false;
    graph = model.node(g.parent).graph;
  }
}

std::vector<Defect> reached_defects(const RuleContext& context, Defect::Kind kind) {
  const Reached reached(context);
  std::vector<Defect> found;
  for (const Defect& defect : context.model().defects()) {
    if (defect.kind == kind && reached.has(defect.graph)) found.push_back(defect);
  }
  return found;
}

}  // namespace trtcheck::rules
