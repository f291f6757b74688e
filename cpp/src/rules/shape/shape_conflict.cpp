#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "rules/weights/batchnorm_facts.hpp"
#include "rules/weights/conv_facts.hpp"

namespace trtcheck::rules {
namespace {

/// Rules that know the operator say the same with more to the point.
bool is_told_elsewhere(const RuleContext& context, const Node& node) {
  if (node.op_type == "Conv" || node.op_type == "ConvTranspose") return conv_is_inconsistent(context, node);
  if (node.op_type == "BatchNormalization") return batchnorm_is_inconsistent(context, node);
  return node.op_type == "QuantizeLinear" || node.op_type == "DequantizeLinear";
}

void check(RuleContext& context) {
  const Model& model = context.model();
  for (const Conflict& conflict : context.shapes().conflicts()) {
    if (!conflict.node) continue;
    const Node& node = model.node(conflict.node);
    if (is_told_elsewhere(context, node)) continue;
    FindingBuilder finding = context.add(conflict.node, fmt::format("{}: {}", node.op_type, conflict.message));
    if (conflict.value) finding.value(context.name(conflict.value));
  }
}

constexpr std::string_view kEvidence[] = {
    "https://github.com/onnx/onnx/blob/main/docs/Operators.md",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/work-dynamic-shapes.html",
};
constexpr std::string_view kMessages[] = {"reshape would change volume"};

}  // namespace

extern constinit const Rule shape_conflict{
    .code = "SHP101",
    .name = "shape-conflict",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .summary = "shapes that an operator cannot reconcile, whatever the input sizes",
    .docs = R"(## What it checks
What shape inference could not reconcile for any allowed size: operands that do not broadcast, a product whose inner extents differ, a Reshape that changes the number of elements,
an axis outside of the rank.

## Why TensorRT cares
It computes the same shapes when it builds, and stops at the same node.

## Example
```onnx
agraph (float[N,3] x) => (float[N,5] y)
<float[4,5] w = {1,1,1,1,1, 1,1,1,1,1, 1,1,1,1,1, 1,1,1,1,1}> {
  y = MatMul(x, w)
}
```

## Instead
```onnx
agraph (float[N,4] x) => (float[N,5] y)
<float[4,5] w = {1,1,1,1,1, 1,1,1,1,1, 1,1,1,1,1, 1,1,1,1,1}> {
  y = MatMul(x, w)
}
```

## Fix
Correct the model: every runtime would fail at this node. Look at what was changed last, pruning, a new number of classes, a surgery on the graph.

## Evidence
The definition of the operator.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check};

}  // namespace trtcheck::rules
