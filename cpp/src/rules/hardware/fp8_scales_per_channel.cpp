#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::fp8_scales_per_channel {
namespace {

void check(RuleContext& context) {
  if (context.has(gates::fp8_scales_per_channel)) return;
  const Node& node = context.node();
  const LayerQuantization layer = layer_quantization(context.view(), node);
  if (!layer.fp8()) return;
  const ScaleView scale = scale_view(context.view(), context.model().node(layer.weight->dq));
  if (!scale.per_axis()) return;
  context
      .add(fmt::format("FP8 weights of {} have {} scales, {} runs FP8 with one scale", node.op_type, *scale.count,
                       context.release().name()))
      .reason("FP8 weights with several scales")
      .fix("give the weights one scale, or use TensorRT 10.7", layer.weight->dq);
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/getting-started/release-notes-10/10.6.0.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/getting-started/release-notes-10/10.7.0.html",
};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD106",
    .name = "fp8-scales-per-channel",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "up to 10.6: FP8 weights with several scales",
    .docs = R"(## What it checks
Up to 10.6: Conv, ConvTranspose, Gemm and MatMul in FP8 whose weights have more than one scale.

## Why TensorRT cares
Matrix products in FP8 with a scale per channel came with 10.6 for Hopper and 10.7 for Ada. Before, the layer runs in higher precision.

## Example
```onnx opset=19 target=10.3
agraph (float[N,2] x) => (y)
<float[2,2] w = {1,1,1,1}, float a = {0.05}, float[2] s = {0.1,0.2}> {
  zero = Constant<value = float8e4m3fn {0}>()
  zeros = Constant<value = float8e4m3fn[2] {0,0}>()
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear<axis=1>(w, s, zeros)
  wd = DequantizeLinear<axis=1>(wq, s, zeros)
  y = MatMul(xd, wd)
}
```

## Instead
```onnx opset=19 target=10.3
agraph (float[N,2] x) => (y)
<float[2,2] w = {1,1,1,1}, float a = {0.05}, float[2] s = {0.1,0.2}> {
  zero = Constant<value = float8e4m3fn {0}>()
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, a, zero)
  wd = DequantizeLinear(wq, a, zero)
  y = MatMul(xd, wd)
}
```

## Fix
One scale for the weights, or a newer release.

## Evidence
Release notes of 10.6 and 10.7.
)",
    .evidence = kEvidence,
    .ops = kinds::product.operators,
    .quantized_only = true,
    .check = check,
    .gates = {gates::fp8_scales_per_channel, kScaleGates},
};

}  // namespace trtcheck::rules::fp8_scales_per_channel
