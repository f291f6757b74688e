#include <fmt/core.h>

#include "rules/quantization/residual.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::residual_not_quantized {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const auto block = residual_add(context, node);
  if (!block || block->shortcut.pair || block->backbone.pair) return;
  if (!layer_quantization(context.view(), context.model().node(block->backbone.conv)).int8()) return;
  const ValueId shortcut = node.inputs[block->shortcut.operand];
  const bool down_samples = bool(block->shortcut.conv);
  FindingBuilder finding = context.add(
      fmt::format("shortcut `{}` (input {}) has no Q/DQ, Conv `{}` on the other side of this residual Add is INT8: {}",
                  context.name(shortcut), block->shortcut.operand, context.label(block->backbone.conv),
                  down_samples ? "the block may fail to build or fall back to float" : "the sum is written in float"));
  finding.value(context.name(shortcut));
  finding.note("the operand of the Add that comes from the shortcut decides the type that the fused Conv + Add writes",
               block->backbone.conv);
  if (down_samples) {
    finding.note("both branches end in a convolution, so the fusion has two candidates", block->shortcut.conv);
    add_allocator_notes(finding);
  } else {
    finding.severity(Severity::info);
  }
  finding.fix(fmt::format("insert one per-tensor Q/DQ pair between `{}` and the Add, none on the convolution's side",
                          context.name(shortcut)));
}

constexpr std::string_view kOps[] = {"Add"};
constexpr std::string_view kEvidence[] = {
    "https://github.com/NVIDIA/TensorRT/issues/3980",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "NVIDIA/TensorRT tools/pytorch-quantization/docs/source/tutorials/quant_resnet50.rst@release/10.3",
    "https://github.com/NVIDIA/TensorRT/issues/1461",
};
constexpr std::string_view kMessages[] = {
    "defaultAllocator.cpp::deallocateAsync * Error Code 1: Cuda Runtime (operation not supported)"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ201",
    .name = "residual-not-quantized",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "the shortcut of a residual block with quantized convolutions is not quantized",
    .docs = R"(## What it checks
An Add of two branches of one tensor, of which one ends in an INT8 convolution (Q/DQ on data and weights). The other branch, the shortcut, should
pass through a Q/DQ pair just before the Add. Adds with a constant and broadcast Adds are no residual Adds.

## Why TensorRT cares
The shortcut operand decides what Conv + Add + Relu writes as one kernel. With a float shortcut the sum is float, and the quantizer after it
stays a kernel of its own: a cost, and information. For down-sample blocks, whose shortcut is a convolution too, a build was reported to end in this
fusion with an allocator error: a warning.

## Example
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,2,2] y)
<float[1,1,3,3] w = {1, 1, 1, 1, 1, 1, 1, 1, 1}, float[1,1,1,1] v = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]>(xd, wd)
  vq = QuantizeLinear(v, b, zero)
  vd = DequantizeLinear(vq, b, zero)
  s = Conv<kernel_shape=[1,1], strides=[2,2]>(xd, vd)
  y = Add(c, s)
}
```

## Instead
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,2,2] y)
<float[1,1,3,3] w = {1, 1, 1, 1, 1, 1, 1, 1, 1}, float[1,1,1,1] v = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]>(xd, wd)
  vq = QuantizeLinear(v, b, zero)
  vd = DequantizeLinear(vq, b, zero)
  s = Conv<kernel_shape=[1,1], strides=[2,2]>(xd, vd)
  sq = QuantizeLinear(s, a, zero)
  sd = DequantizeLinear(sq, a, zero)
  y = Add(c, sd)
}
```

## Fix
Insert one per-tensor pair between the last operator of the shortcut (after its BatchNormalization) and the Add, with scale amax/127. In PyTorch: add a
residual quantizer to the block class. For a quick build remove all Q/DQ of the block.

## Evidence
The placement is documented in the explicit quantization guide and in NVIDIA's ResNet-50 tutorial (`residual_quantizer`). That the allocator
error of NVIDIA/TensorRT issue 3980 comes from it is concluded from its log.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::residual_not_quantized
