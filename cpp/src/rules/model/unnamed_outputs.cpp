#include <cstddef>
#include <map>
#include <string>

#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules::unnamed_outputs {
namespace {

/// Of one graph.
struct Unnamed {
  NodeId first;  ///< the first node that leaves out an output
  NodeId clash;  ///< the node that leaves out the second one: the same, or another
  std::size_t of_first = 0;
  std::size_t count = 0;
};

void check(RuleContext& context) {
  if (context.has(gates::unnamed_outputs_skipped)) return;
  const Model& model = context.model();
  std::map<GraphId, Unnamed> by_graph;
  for (NodeId id : context.nodes()) {
    const Node& node = model.node(id);
    for (ValueId output : node.outputs) {
      if (output) continue;
      Unnamed& unnamed = by_graph[node.graph];
      if (++unnamed.count == 1) unnamed.first = id;
      if (unnamed.count == 2) unnamed.clash = id;
      if (unnamed.first == id) ++unnamed.of_first;
    }
  }
  for (const auto& [graph, unnamed] : by_graph) {
    if (unnamed.count < 2) continue;
    const std::string who =
        unnamed.first == unnamed.clash
            ? fmt::format("`{}` leaves out {}", context.label(unnamed.first), counted(unnamed.of_first, "output"))
            : fmt::format("`{}` and `{}` both leave out an output", context.label(unnamed.first),
                          context.label(unnamed.clash));
    context
        .add(unnamed.clash, fmt::format("{}: {} treats the empty name as one tensor with two producers", who,
                                        context.release().name()))
        .note(fmt::format("{} outputs of graph `{}` have no name", unnamed.count, model.graph_path(graph)))
        .fix("give every output a name, also those that nobody reads");
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt toposort.hpp, 10.5 and 10.6: `Failed to sort the model topologically`"};
constexpr std::string_view kMessages[] = {"Failed to sort the model topologically"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL110",
    .name = "unnamed-outputs",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "two unnamed node outputs in one graph, which releases up to 10.5 treat as duplicates",
    .docs = R"(## What it checks
Outputs that are left out (an empty name), typically of LSTM and GRU nodes, counted for each graph, branch and body.

## Why TensorRT cares
Up to 10.5 an empty name counts as a tensor. Two of them make the sort of the nodes fail with `Failed to sort the model
topologically`, which names no node. From 10.6 on empty names are skipped.

## Example
```onnx target=10.5
agraph (float[S,1,4] x, float[1,16,4] w, float[1,16,4] r) => (float[S,1,1,4] a, float[S,1,1,4] b) {
  a, , c = LSTM <hidden_size = 4> (x, w, r)
  b, , d = LSTM <hidden_size = 4> (x, w, r)
}
```

## Instead
```onnx target=10.5
agraph (float[S,1,4] x, float[1,16,4] w, float[1,16,4] r) => (float[S,1,1,4] a, float[S,1,1,4] b) {
  a, h, c = LSTM <hidden_size = 4> (x, w, r)
  b, g, d = LSTM <hidden_size = 4> (x, w, r)
}
```

## Fix
Name the outputs.

## Evidence
onnx-tensorrt `toposort.hpp`, 10.5 against 10.6; seen by running the parsers of 10.3 and 10.10.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::unnamed_outputs_skipped},
};

}  // namespace trtcheck::rules::unnamed_outputs
