#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::conv_scale_axis {
namespace {

void check(RuleContext& context) {
  const LayerQuantization layer = layer_quantization(context.view(), context.node());
  if (!layer.weight || !layer.weight->direct || layer.weight->code != DataType::int8) return;
  const NodeId node = layer.weight->q ? layer.weight->q : layer.weight->dq;
  const Node& quantizer = context.model().node(node);
  const ScaleView scale = scale_view(context.view(), quantizer);
  if (!scale.per_axis() || scale.axis == 0) return;
  FindingBuilder finding = context.add(
      fmt::format("weight scales `{}` of Conv are along axis {}, INT8 needs them on axis 0 (output channels): "
                  "the layer {} in float",
                  context.name(quantizer.input(1)), scale.axis, layer.int8() ? "seems to run" : "runs"));
  finding.value(context.name(quantizer.input(1)));
  if (!scale.axis_given) finding.note("there is no attribute `axis`: ONNX means 1", node);
  // A float layer with dequantized weights is no INT8 layer yet.
  if (!layer.int8()) finding.severity(Severity::info);
  finding.fix("compute one scale per output channel and set `axis` to 0");
}

constexpr std::string_view kOps[] = {"Conv"};
constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, IQuantizeLayer, 8.0",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/ort_utils.py@a2fbac7b",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 build the Example",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ302",
    .name = "conv-scale-axis",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "per-channel weight scales of a Conv on another axis than that of the output channels",
    .docs = R"(## What it checks
INT8 weights of Conv with several scales: they should be along axis 0. A warning if the data is quantized as well, else information.

## Why TensorRT cares
Only scales of the *output* channels can be moved out of the convolution, and the header describes that axis. With another one the model builds, and the convolution seems
to run in float: nothing is gained by quantizing it.

## Example
```onnx
agraph (float[1,2,4,4] x) => (float[1,3,4,4] y)
<float[3,2,1,1] w = {1,1, 1,1, 1,1}, float a = {0.05}, int8 zero = {0}, float[2] s = {0.1,0.1}, int8[2] z = {0,0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear<axis=1>(w, s, z)
  wd = DequantizeLinear<axis=1>(wq, s, z)
  y = Conv<kernel_shape=[1,1]>(xd, wd)
}
```

## Instead
```onnx
agraph (float[1,2,4,4] x) => (float[1,3,4,4] y)
<float[3,2,1,1] w = {1,1, 1,1, 1,1}, float a = {0.05}, int8 zero = {0}, float[3] s = {0.1,0.1,0.1}, int8[3] z = {0,0,0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear<axis=0>(w, s, z)
  wd = DequantizeLinear<axis=0>(wq, s, z)
  y = Conv<kernel_shape=[1,1]>(xd, wd)
}
```

## Fix
One scale per output channel, `axis` 0.

## Evidence
Header and guide describe axis 0; no report of a refusal is known. TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4, build the Example. 1.5 and 1.6 build no
INT8 convolution without a GPU, and this one they build: it is none.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
    .gates = {kScaleGates},
};

}  // namespace trtcheck::rules::conv_scale_axis
