// Bodies of If, Loop and Scan, and functions: what lies in them becomes the model, or is taken out of them.
#include <algorithm>
#include <string>
#include <vector>

#include "model/graphs.hpp"
#include "reduce/search.hpp"
#include "subgraph/declared.hpp"
#include "subgraph/lift.hpp"

namespace trtcheck::reducing {
namespace {

bool lift(Trial& trial, GraphId from) {
  const auto made = subgraph::lifted(trial.model(), trial.shapes(), from);
  if (!made || !trial.attempt(made->edits)) return false;
  trial.tidy();
  return true;
}

/// Graphs that lie in a node of the main graph, those of the finding first.
std::vector<GraphId> inner_graphs(Trial& trial) {
  std::vector<GraphId> found;
  const Model& model = trial.model();
  for (const Finding* finding : trial.goal().all_in(trial.state())) {
    if (finding->node_id && model.node(finding->node_id).graph != kMainGraph)
      found.push_back(model.node(finding->node_id).graph);
  }
  constexpr std::size_t kMost = 64;
  for (std::uint32_t g = 1; g < model.graph_count() && found.size() < kMost; ++g) {
    if (model.graph(GraphId{g}).kind == Graph::Kind::function_definition) continue;
    if (std::ranges::find(found, GraphId{g}) == found.end()) found.push_back(GraphId{g});
  }
  return found;
}

/// A node of a body goes: what others read of it becomes an input of the model, which bodies can read.
bool take_out(Trial& trial, NodeId id) {
  const Model& model = trial.model();
  std::vector<edit::Edit> edits{edit::RemoveNode{edit::place_of(model, id)}};
  for (const ValueId output : model.node(id).outputs) {
    if (!output) continue;
    const Value& value = model.value(output);
    if (value.is_output) return false;
    edits.emplace_back(edit::RemoveDeclaration{edit::place_of(model, value.graph), std::string(value.name)});
    if (!value.users.empty())
      edits.emplace_back(edit::AddInput{{}, std::string(value.name), subgraph::type_or_float(trial.shapes(), output)});
  }
  return trial.attempt(edits);
}

/// Nodes of bodies in the main graph, the last ones first.
bool take_out_of_bodies(Trial& trial) {
  bool is_smaller = false;
  for (std::uint32_t i = static_cast<std::uint32_t>(trial.model().node_count()); i-- > 0;) {
    const Model& model = trial.model();
    if (i >= model.node_count()) continue;
    const GraphId graph = model.node(NodeId{i}).graph;
    if (graph != kMainGraph && is_of_main_graph(model, graph)) is_smaller |= take_out(trial, NodeId{i});
  }
  return is_smaller;
}

}  // namespace

bool take_bodies(Trial& trial) {
  for (const GraphId graph : inner_graphs(trial)) {
    if (lift(trial, graph)) return true;
  }
  if (!take_out_of_bodies(trial)) return false;
  trial.tidy();
  return true;
}

}  // namespace trtcheck::reducing
