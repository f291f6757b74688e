#include <fmt/core.h>

#include "rules/model/defects.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::duplicate_value {
namespace {

void check(RuleContext& context) {
  for (const Defect& defect : reached_defects(context, Defect::Kind::duplicate_value)) {
    const std::string_view name = context.name(defect.value);
    if (!defect.node) {  // no output: the second of two graph inputs
      context
          .add(context.model().graph(defect.graph).parent,
               fmt::format("two inputs of graph `{}` are named `{}`", context.model().graph_path(defect.graph), name))
          .value(name)
          .fix(fmt::format("give one input `{}` another name, there and where it is read", name));
      continue;
    }
    context
        .add(defect.node, fmt::format("output `{}` of `{}` has the name of a tensor that exists already", name,
                                      context.label(defect.node)))
        .value(name)
        .fix(fmt::format("give the second `{}` another name, there and where it is read", name));
  }
  for (const Defect& defect : reached_defects(context, Defect::Kind::duplicate_initializer)) {
    const std::string_view name = context.name(defect.value);
    FindingBuilder finding = context.add_model(fmt::format("two initializers are named `{}`", name));
    finding.value(name).fix(fmt::format("remove one of the initializers `{}`", name));
    if (!context.has(gates::duplicate_initializers_refused))
      finding.severity(Severity::warning).certainty(Certainty::likely);
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt toposort.hpp, 10.10: `Failed to sort the model topologically`",
    "onnx-tensorrt ImporterContext.cpp registerTensor, 10.10: `ONNX graph has duplicate tensor name`"};
constexpr std::string_view kMessages[] = {"ONNX graph has duplicate tensor name",
                                          "Failed to sort the model topologically",
                                          "Failed to sort model topologically, exiting"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL101",
    .name = "duplicate-value",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "two producers of one tensor name in one graph",
    .docs = R"(## What it checks
Within one graph each tensor name has one producer: a graph input, an initializer, or one output of one node. An input
with an initializer of the same name is its default value and no duplicate.

## Why TensorRT cares
The parser sorts the nodes by the names that they produce and gives up at the second producer: `Failed to sort the model
topologically`; for initializers `ONNX graph has duplicate tensor name`.

## Example
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
  y = Neg (x)
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
Rename one of the two.

## Evidence
onnx-tensorrt `toposort.hpp` (8.0 to 11.0) and `ImporterContext.cpp`, `registerTensor` (8.4 on).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::duplicate_initializers_refused},
};

}  // namespace trtcheck::rules::duplicate_value
