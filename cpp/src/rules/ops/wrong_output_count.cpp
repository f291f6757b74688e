#include <fmt/core.h>

#include "rules/ops/node_schema.hpp"
#include "rules/rule_context.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules::wrong_output_count {
namespace {

void check(RuleContext& context) {
  for (const NodeId id : context.nodes()) {
    const Node& node = context.model().node(id);
    if (node.outputs.size() < 2) continue;
    const schema::SchemaFacts* facts = node_schema(context, id);
    if (facts == nullptr || node.outputs.size() <= facts->max_outputs) continue;
    context
        .add(id, fmt::format("{} `{}` has {}, opset {} of ONNX knows {}", node.op_type, context.label(id),
                             counted(node.outputs.size(), "output"), *context.model().opset(node.graph),
                             facts->max_outputs))
        .reason("too many outputs")
        .fix("export the model again, or correct the outputs of the node");
  }
}

constexpr std::string_view kEvidence[] = {"ONNX operator schemas",
                                          "onnx-tensorrt ModelImporter.cpp parseNode, 10.10: outputs are counted"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS306",
    .name = "wrong-output-count",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a node with more outputs than its operator has",
    .docs = R"(## What it checks
The number of outputs of every node of the ONNX domain against the operator's schema at the opset of the model.

## Why TensorRT cares
An importer gives as many outputs as it knows of; more than these are refused, or come out as tensors that nothing makes. `onnx.checker` refuses such
models.

## Example
```onnx
agraph (float[2,1,3] x, float[1,6,3] w, float[1,6,2] r) => (y) {
  y, h, c = GRU<hidden_size=2>(x, w, r)
}
```

## Instead
```onnx
agraph (float[2,1,3] x, float[1,6,3] w, float[1,6,2] r) => (y) {
  y, h = GRU<hidden_size=2>(x, w, r)
}
```

## Fix
Correct the node.

## Evidence
Schemas of the onnx library; onnx-tensorrt `ModelImporter.cpp`, `parseNode` (8.6 to 10.10).
)",
    .evidence = kEvidence,
    .check = check,
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::wrong_output_count
