#include <fmt/core.h>

#include "model/walk.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::batchnorm_after_quantized_conv {
namespace {

constexpr std::size_t kLookBack = 8;

/// The node that makes the value, behind Identity and Dropout; `idle` is the last of these.
NodeId maker_of(const RuleContext& context, ValueId value, NodeId& idle) {
  NodeId maker;
  walk<kLookBack>(value, [&](ValueId at, auto& onward) {
    const NodeId id = producer_of(context.model(), at);
    if (!id || !is_a(context.model().node(id).op_type, kinds::dropped)) {
      maker = id;
      return true;
    }
    idle = id;
    onward.add(context.model().node(id).input(0));
    return false;
  });
  return maker;
}

void check(RuleContext& context) {
  const Node& node = context.node();
  NodeId idle;
  const NodeId conv = maker_of(context, node.input(0), idle);
  if (!conv) return;
  const Node& layer = context.model().node(conv);
  if (!is_a(layer.op_type, kinds::convolution)) return;
  const LayerQuantization quantization = layer_quantization(context.view(), layer);
  if (!quantization.int8() && !quantization.fp8()) return;
  FindingBuilder finding = context.add(fmt::format(
      "BatchNormalization is not folded into the quantized {} `{}` before it", layer.op_type, context.label(conv)));
  finding.value(context.name(node.input(0)));
  const Node& weight = context.model().node(quantization.weight->dq);
  if (scale_view(context.view(), weight).count == 1) {
    finding.note("the weights have one scale for all channels, whose gains BatchNormalization then changes differently",
                 conv);
  }
  if (idle) {
    finding.note(fmt::format("{} `{}` in between hides the pattern that fuses the two",
                             context.model().node(idle).op_type, context.label(idle)),
                 idle);
  }
  if (layer.op_type == "ConvTranspose" && !context.has(gates::deconv_batchnorm_fuses)) {
    finding.note("in 8.x an INT8 ConvTranspose with BatchNormalization after it was reported to run in FP32", conv);
  }
  finding.fix("fold BatchNormalization into weights and bias before quantizing");
}

constexpr std::string_view kOps[] = {"BatchNormalization"};
constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "https://github.com/NVIDIA/TensorRT/issues/1699",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ207",
    .name = "batchnorm-after-quantized-conv",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "BatchNormalization was left after a quantized convolution",
    .docs = R"(## What it checks
A BatchNormalization that reads the result of a Conv or ConvTranspose whose data and weights are quantized, also after Identity or Dropout.

## Why TensorRT cares
It fuses the two by rescaling the weights *after* they were rounded to INT8. That is supported, but less exact than folding first, above all with one
weight scale for all channels. ConvTranspose in 8.x was reported to fall back to float.

## Example
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}, float[1] one = {1}, float[1] none = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  y = BatchNormalization(c, one, none, none, one)
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
Fold BatchNormalization into weights and bias, then quantize (and calibrate) again.

## Evidence
Fusion documented in the guide, the loss of accuracy concluded; NVIDIA/TensorRT issue 1699 for ConvTranspose.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
    .gates = {gates::deconv_batchnorm_fuses, kScaleGates},
};

}  // namespace trtcheck::rules::batchnorm_after_quantized_conv
