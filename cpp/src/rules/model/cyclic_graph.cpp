#include <map>
#include <vector>

#include <fmt/core.h>

#include "rules/model/defects.hpp"
#include "rules/rule_context.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules::cyclic_graph {
namespace {

constexpr std::size_t kNamed = 8;

void check(RuleContext& context) {
  std::map<GraphId, std::vector<NodeId>> by_graph;
  for (const Defect& defect : reached_defects(context, Defect::Kind::cyclic))
    by_graph[defect.graph].push_back(defect.node);
  for (const auto& [graph, nodes] : by_graph) {
    FindingBuilder finding = context.add(
        nodes.front(), fmt::format("{} of graph `{}` {} part of a cycle or wait for one", counted(nodes.size(), "node"),
                                   context.model().graph_path(graph), nodes.size() == 1 ? "is" : "are"));
    for (std::size_t i = 0; i < nodes.size() && i < kNamed; ++i) {
      finding.note(fmt::format("`{}` is one of them", context.label(nodes[i])), nodes[i]);
    }
    finding.fix("break the cycle: no node may read what is computed from its own output");
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt toposort.hpp, 10.10: `Failed to sort the model topologically`"};
constexpr std::string_view kMessages[] = {"Failed to sort the model topologically",
                                          "Failed to sort model topologically, exiting"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL106",
    .name = "cyclic-graph",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "nodes that read each other in a circle",
    .docs = R"(## What it checks
No node reads, directly or through others, what is computed from its own output. One finding per graph.

## Why TensorRT cares
The parser cannot sort the nodes and stops before it has imported any: `Failed to sort the model topologically`.

## Example
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  a = Add (x, b)
  b = Relu (a)
  y = Neg (b)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  a = Add (x, x)
  b = Relu (a)
  y = Neg (b)
}
```

## Fix
Break the cycle; a recurrence is written as a Loop.

## Evidence
onnx-tensorrt `toposort.hpp` (8.0 to 11.0).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::cyclic_graph
