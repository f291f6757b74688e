#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::rules::quantized_body {
namespace {

void check(RuleContext& context) {
  const Graph& graph = context.model().graph(context.node().graph);
  if (graph.kind != Graph::Kind::body || !graph.parent) return;
  const Node& owner = context.model().node(graph.parent);
  if (!is_a(owner.op_type, kinds::loop)) return;
  context
      .add(fmt::format(
          "{} stands in the {} of {} `{}`: what enters and leaves a body is float, and loops are documented for "
          "FP32 and FP16 only",
          context.node().op_type, graph.attribute, owner.op_type, context.label(graph.parent)))
      .reason(owner.op_type)
      .fix(fmt::format("leave {} `{}` in float", owner.op_type, context.label(graph.parent)), graph.parent);
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/work-with-loops.html",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 build the Example",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ219",
    .name = "quantized-body",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "Q/DQ inside of Loop or Scan",
    .docs = R"(## What it checks
QuantizeLinear and DequantizeLinear in the body of Loop or Scan. Branches of If are left out: nothing is documented of them.

## Why TensorRT cares
Loops are documented for FP32 and FP16, recurrent layers are not quantized at all. It builds, but Q and DQ are not moved across the border of a body:
the values that enter and leave it stay float.

## Example
```onnx
agraph (float[1,4] x) => (float[1,4] y)
<int64 n = {3}, bool k = {1}, float a = {0.1}, int8 zero = {0}> {
  y = Loop(n, k, x)<body = b (int64 i, bool c, float[1,4] v) => (bool c2, float[1,4] v2) {
    c2 = Identity(c)
    q = QuantizeLinear(v, a, zero)
    d = DequantizeLinear(q, a, zero)
    v2 = Neg(d)
  }>
}
```

## Instead
```onnx
agraph (float[1,4] x) => (float[1,4] y)
<int64 n = {3}, bool k = {1}, float a = {0.1}, int8 zero = {0}> {
  y = Loop(n, k, x)<body = b (int64 i, bool c, float[1,4] v) => (bool c2, float[1,4] v2) {
    c2 = Identity(c)
    v2 = Neg(v)
  }>
}
```

## Fix
Leave the body in float.

## Evidence
NVIDIA's guide on loops. TensorRT-RTX 1.5, 1.6 and 1.7 build Q/DQ, also around a MatMul, in Loop and If.
)",
    .evidence = kEvidence,
    .ops = kinds::quantizer.operators,
    .check = check,
};

}  // namespace trtcheck::rules::quantized_body
