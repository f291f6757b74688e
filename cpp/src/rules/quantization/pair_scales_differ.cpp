#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::pair_scales_differ {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const NodeId quantizer = producer_of(context.model(), node.input(0));
  if (!quantizer || !is_quantize(context.model().node(quantizer))) return;
  const Node& q = context.model().node(quantizer);
  const bool scales_differ = same_scale(context.view(), q, node) == false;
  const ScaleView of_q = scale_view(context.view(), q);
  const ScaleView of_dq = scale_view(context.view(), node);
  const bool axes_differ = of_q.per_axis() && of_dq.per_axis() && of_q.axis != of_dq.axis;
  if (!scales_differ && !axes_differ) return;
  context
      .add(
          scales_differ
              ? fmt::format("QuantizeLinear `{}` has scale `{}` and the DequantizeLinear after it `{}`, which differs: "
                            "the pair changes the data by more than rounding",
                            context.label(quantizer), context.name(q.input(1)), context.name(node.input(1)))
              : fmt::format(
                    "QuantizeLinear `{}` has its scales on axis {} and the DequantizeLinear after it on axis {}: "
                    "the pair changes the data by more than rounding",
                    context.label(quantizer), of_q.axis, of_dq.axis))
      .value(context.name(node.input(1)))
      .note("TensorRT computes what the file says", quantizer)
      .fix("give both nodes one scale, zero point and axis");
}

constexpr std::string_view kOps[] = {"DequantizeLinear"};
constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "measured: TensorRT-RTX 1.7.1 builds the Example",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ208",
    .name = "pair-scales-differ",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a QuantizeLinear and the DequantizeLinear after it have different scales",
    .docs = R"(## What it checks
A DequantizeLinear that reads a QuantizeLinear: scales (by value, where they are constants) and axes must be equal.

## Why TensorRT cares
A pair represents one quantized tensor: both of its ends have one scale. Where they differ, the data come out multiplied, which TensorRT computes as
the file says, without a word; the usual cause is a scale that was changed at one of the two.

## Example
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, b, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  y = Conv<kernel_shape=[1,1]>(xd, wd)
}
```

## Instead
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  y = Conv<kernel_shape=[1,1]>(xd, wd)
}
```

## Fix
One scale, zero point and axis for both nodes.

## Evidence
Concluded from the explicit quantization guide. TensorRT-RTX 1.7, which is of 11.4, builds the Example.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .check = check,
    .gates = {kScaleGates},
};

}  // namespace trtcheck::rules::pair_scales_differ
