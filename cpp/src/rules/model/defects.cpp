#include "rules/model/defects.hpp"

#include <algorithm>

namespace trtcheck::rules {
namespace {

bool is_called(const Model& model, GraphId definition) {
  const auto functions = model.functions();
  const auto it = std::ranges::find(functions, definition, &Function::definition);
  if (it == functions.end()) return false;
  for (std::uint32_t i = 0; i < model.graph_count(); ++i) {
    const Graph& graph = model.graph(GraphId{i});
    if (graph.kind != Graph::Kind::function_call) continue;
    const Node& call = model.node(graph.parent);
    if (call.op_type == it->name && call.domain == it->domain && call.overload == it->overload) return true;
  }
  return false;
}

}  // namespace

bool is_reached(const RuleContext& context, GraphId graph) {
  const Model& model = context.model();
  while (true) {
    const Graph& g = model.graph(graph);
    if (g.kind == Graph::Kind::function_definition) return is_called(model, graph);
    if (!g.parent) return true;
    const GraphId taken = context.shapes().taken_branch(g.parent);
    if (g.kind == Graph::Kind::body && taken && taken != graph) return false;
    graph = model.node(g.parent).graph;
  }
}

std::vector<Defect> reached_defects(const RuleContext& context, Defect::Kind kind) {
  std::vector<Defect> found;
  for (const Defect& defect : context.model().defects()) {
    if (defect.kind == kind && is_reached(context, defect.graph)) found.push_back(defect);
  }
  return found;
}

}  // namespace trtcheck::rules
