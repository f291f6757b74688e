#include <fmt/core.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules::undefined_input {
namespace {

void check(RuleContext& context) {
  const Model& model = context.model();
  for (const Defect& defect : model.defects()) {
    if (defect.kind != Defect::Kind::undefined_input || !defect.node) continue;
    const std::string_view name = context.name(defect.value);
    context
        .add(defect.node, fmt::format("input `{}` of {} `{}` is no graph input, initializer or output of a node", name,
                                      model.node(defect.node).op_type, context.label(defect.node)))
        .value(name)
        .fix(fmt::format("add the initializer `{}`, or connect the input to a tensor that exists", name));
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt ModelImporter.cpp parseNode, 10.10: `Node input was not registered.`"};
constexpr std::string_view kMessages[] = {"Node input was not registered."};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL103",
    .name = "undefined-input",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a node reads a tensor that nothing produces",
    .docs = R"(## What it checks
Every input of every node must be a graph input, an initializer, or the output of a node in the same or an outer graph.

## Why TensorRT cares
The parser looks each input up among the tensors that it has registered, and gives up at the first unknown name. A lost
initializer (weights stripped from the file) and a node removed by hand are the usual reasons.

## Example
```onnx
agraph (float[1,3] x) => (float[1,4] y) {
  y = MatMul(x, w)
}
```

## Instead
```onnx
agraph (float[1,3] x) => (float[1,4] y)
<float[3,4] w = {1,1,1,1, 1,1,1,1, 1,1,1,1}> {
  y = MatMul(x, w)
}
```

## Fix
Add the missing initializer, or connect the input to a tensor that exists.

## Evidence
The parser reports `Node input was not registered.` (onnx-tensorrt, `ModelImporter.cpp`, seen in 8.0 to 11.0).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::undefined_input
