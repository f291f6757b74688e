#include <cstddef>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "rules/model/defects.hpp"
#include "rules/rule_context.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules::unsorted_graph {
namespace {

void check(RuleContext& context) {
  const auto defects = reached_defects(context, Defect::Kind::unsorted);
  std::map<GraphId, std::size_t> counts;
  for (const Defect& defect : defects) ++counts[defect.graph];
  for (const Defect& defect : defects) {
    const std::size_t in_graph = std::exchange(counts[defect.graph], 0);
    if (in_graph == 0) continue;  // told with the first one
    context
        .add(defect.node,
             fmt::format("`{}` reads `{}` before the node that produces it; TensorRT sorts the nodes, ONNX "
                         "demands that they are sorted",
                         context.label(defect.node), context.name(defect.value)))
        .value(context.name(defect.value))
        .caused_by(defect.node)  // capture-before-producer says the worse of it
        .note(counted(in_graph, "such read") + " in this graph")
        .fix("sort the nodes topologically (onnx_graphsurgeon: `graph.toposort()`)");
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt toposort.hpp, 10.10"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL105",
    .name = "unsorted-graph",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a node that stands before the producer of its input",
    .docs = R"(## What it checks
Nodes come after the nodes whose outputs they read, as the ONNX standard requires. One finding per graph.

## Why TensorRT cares
It does not: the parser sorts the nodes itself. `onnx.checker` and other tools refuse such a file. See
`capture-before-producer` for the one case that TensorRT refuses.

## Example
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Neg (t)
  t = Relu (x)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  t = Relu (x)
  y = Neg (t)
}
```

## Fix
Sort the nodes.

## Evidence
onnx-tensorrt `toposort.hpp` (8.0 to 11.0); ONNX IR specification, section on graphs.
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules::unsorted_graph
