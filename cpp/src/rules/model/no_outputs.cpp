#include <fmt/core.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules::no_outputs {
namespace {

void check(RuleContext& context) {
  const Graph& graph = context.model().graph();
  if (graph.outputs.empty()) {
    context.add_model(graph.node_count == 0 ? "the graph has no nodes and no outputs" : "the graph has no outputs")
        .note("the parser accepts the model, the build then reports that the network has no output")
        .fix("name the tensors that you need as graph outputs");
    return;
  }
  if (graph.node_count == 0) {
    context.add_model("the graph has no nodes: its outputs are its inputs or initializers").severity(Severity::warning);
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ModelImporter.cpp supportsModel, 10.10",
                                          "measured: TensorRT-RTX 1.5.0, 1.6.1, 1.7.1"};
constexpr std::string_view kMessages[] = {"Network must have at least one output"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL108",
    .name = "no-outputs",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a model without outputs or without nodes",
    .docs = R"(## What it checks
The main graph has outputs, and nodes that compute them.

## Why TensorRT cares
The parser accepts an empty graph without a word (and `supportsModel` reads past the end of an empty list); the builder then
refuses a network without outputs.

## Example
```onnx
agraph (float[N,3] x) => () {
  y = Relu (x)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Fix
Name the outputs; check that the right file was exported.

## Evidence
onnx-tensorrt `ModelImporter.cpp` (read and run at 10.3 and 10.10). The builder's refusal was measured with TensorRT-RTX
1.5.0, 1.6.1 and 1.7.1, and is in reports of older releases.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::no_outputs
