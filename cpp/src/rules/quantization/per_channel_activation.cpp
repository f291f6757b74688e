#include <fmt/format.h>

#include "rules/quantization/qdq_pattern.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const ScaleFacts scale = scale_facts(context, node);
  const ValueId data = node.input(0);
  if (!scale.per_axis() || !data || context.shapes().folds_to_constant(data)) return;
  FindingBuilder finding = context.add(
      fmt::format("activation `{}` is quantized with {} scales, TensorRT takes several scales for weights only",
                  context.name(data), *scale.count));
  finding.value(context.name(node.input(1)));
  const NodeId before = producer_id(context, data);
  if (is_dequantize(node) && before && is_quantize(context.model().node(before))) finding.caused_by(before);
  finding.fix("use one scale for the activation; what evens out channels belongs in a Mul before or in the weights");
}

constexpr std::string_view kOps[] = {"QuantizeLinear", "DequantizeLinear"};
constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, IQuantizeLayer, 8.0 to 11.1",
    "https://github.com/NVIDIA/Model-Optimizer/issues/41",
    "https://github.com/NVIDIA/TensorRT/issues/4008",
};
constexpr std::string_view kMessages[] = {"Assertion numScales == mGlobRefs.scale.count() failed"};

}  // namespace

extern constinit const Rule per_channel_activation{.code = "QDQ106",
                                                   .name = "per-channel-activation",
                                                   .since = "0.1.0",
                                                   .severity = Severity::error,
                                                   .certainty = Certainty::proven,
                                                   .fix = Applicability::display,
                                                   .summary = "an activation is quantized with one scale per channel",
                                                   .docs = R"(## What it checks
A one-dimensional scale of more than one value on data that depends on a graph input.

## Why TensorRT cares
Per-channel quantization exists for weights only; activations have one scale. The build ends in an assertion about the number of scales.

## Example
```onnx
agraph (float[1,2] x) => (float[1,2] y)
<float[2] s = {0.1,0.2}, int8[2] z = {0,0}> {
  q = QuantizeLinear<axis=1>(x, s, z)
  y = DequantizeLinear<axis=1>(q, s, z)
}
```

## Instead
```onnx
agraph (float[1,2] x) => (float[1,2] y)
<float s = {0.2}, int8 z = {0}> {
  q = QuantizeLinear(x, s, z)
  y = DequantizeLinear(q, s, z)
}
```

## Fix
One scale for the activation. Smoothing per channel goes into a Mul in front, or into the weights of the layer before.

## Evidence
Documented in the header of every release; reports with the assertion.
)",
                                                   .evidence = kEvidence,
                                                   .messages = kMessages,
                                                   .ops = kOps,
                                                   .check = check};

}  // namespace trtcheck::rules
