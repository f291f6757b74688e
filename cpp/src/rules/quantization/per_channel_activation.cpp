#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::per_channel_activation {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const ScaleView scale = scale_view(context.view(), node);
  const ValueId data = node.input(0);
  if (!scale.per_axis() || !data || context.shapes().folds_to_constant(data)) return;
  const bool is_older = !context.has(gates::activation_scales_unreported);
  FindingBuilder finding = context.add(
      fmt::format("activation `{}` is quantized with {} scales, TensorRT {} several scales only for weights",
                  context.name(data), *scale.count, is_older ? "accepts" : "documents"));
  finding.value(context.name(node.input(1))).reason("several scales for an activation");
  if (!is_older) finding.severity(Severity::warning);
  if (context.has(gates::activation_scales_build)) {
    finding.certainty(Certainty::possible);
    finding.note("it may build, and the layers that read it seem to run in float then");
  }
  const NodeId before = producer_of(context.model(), data);
  if (is_dequantize(node) && before && is_quantize(context.model().node(before))) finding.caused_by(before);
  finding.fix("use one scale for the activation; what evens out channels belongs in a Mul before or in the weights");
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, IQuantizeLayer, 8.0 to 11.1",
    "https://github.com/NVIDIA/Model-Optimizer/issues/41",
    "https://github.com/NVIDIA/TensorRT/issues/4008",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 build the Example, and a Conv and a MatMul after such pairs",
};
constexpr std::string_view kMessages[] = {"Assertion numScales == mGlobRefs.scale.count() failed"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ106",
    .name = "per-channel-activation",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an activation is quantized with one scale per channel",
    .docs = R"(## What it checks
A one-dimensional scale of more than one value on data that depends on a graph input: an error in 8.x, a warning from 9.0 on, only *possible* from 11.0 on.

## Why TensorRT cares
Per-channel quantization is documented for weights only; activations have one scale. In 8.6 a build with such scales failed; its verbose log shows a tactic that is skipped because
of the number of scales.

## Example
```onnx target=8.6 opset=13
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
Documented in the header of every release. The two reports are by one user, of 8.6, and the text in them (`Skipping tactic ... due to exception Assertion numScales ==
mGlobRefs.scale.count() failed`) is a verbose line, not the error. TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4, build such models. 1.5 and 1.6, which
build no INT8 convolution without a GPU, build the Conv after such a pair too: it is not INT8 then.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::quantizer.operators,
    .check = check,
    .gates = {gates::activation_scales_unreported, gates::activation_scales_build, kScaleGates},
};

}  // namespace trtcheck::rules::per_channel_activation
