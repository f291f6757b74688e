#include <algorithm>

#include <fmt/core.h>

#include "rules/model/defects.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::capture_before_producer {
namespace {

void check(RuleContext& context) {
  if (context.has(gates::captures_sorted)) return;
  const Model& model = context.model();
  for (const Defect& defect : reached_defects(context, Defect::Kind::unsorted)) {
    const Node& node = model.node(defect.node);
    if (std::ranges::find(node.inputs, defect.value) != node.inputs.end()) continue;  // sorted by its own inputs
    const std::string producer = context.label(model.value(defect.value).producer);
    context
        .add(defect.node,
             fmt::format("the subgraph of `{}` reads `{}`, which `{}` further down produces: {} does "
                         "not see that when it sorts the nodes",
                         context.label(defect.node), context.name(defect.value), producer, context.release().name()))
        .value(context.name(defect.value))
        .fix(fmt::format("put `{}` before `{}`", producer, context.label(defect.node)));
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt toposort.hpp, 10.10: `Node input was not registered.`"};
constexpr std::string_view kMessages[] = {"Node input was not registered."};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL107",
    .name = "capture-before-producer",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a branch or body that captures a tensor produced further down",
    .docs = R"(## What it checks
A node with a branch or body comes after the producers of everything that the branch or body reads from outside.

## Why TensorRT cares
Up to 10.16 the parser sorts nodes by their own inputs only. A node that is listed before the producer of a captured tensor
may be imported first: `Node input was not registered.`

## Example
```onnx target=10.13
agraph (bool c, float[N] x) => (float[N] y) {
  y = If (c) <
    then_branch = then_graph () => (float[N] t) { t = Neg (s) },
    else_branch = else_graph () => (float[N] t) { t = Neg (x) }
  >
  s = Relu (x)
}
```

## Instead
```onnx target=10.13
agraph (bool c, float[N] x) => (float[N] y) {
  s = Relu (x)
  y = If (c) <
    then_branch = then_graph () => (float[N] t) { t = Neg (s) },
    else_branch = else_graph () => (float[N] t) { t = Neg (x) }
  >
}
```

## Fix
Sort the nodes with captures counted as inputs.

## Evidence
onnx-tensorrt `toposort.hpp`, 10.10 against 11.0.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::captures_sorted},
};

}  // namespace trtcheck::rules::capture_before_producer
