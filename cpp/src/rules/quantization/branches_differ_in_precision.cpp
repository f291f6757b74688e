#include <fmt/core.h>

#include "rules/quantization/residual.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::branches_differ_in_precision {
namespace {

void check(RuleContext& context) {
  const auto block = residual_add(context, context.node());
  if (!block || !block->shortcut.conv) return;
  const Model& model = context.model();
  const bool shortcut_int8 = layer_quantization(context.view(), model.node(block->shortcut.conv)).int8();
  const bool backbone_int8 = layer_quantization(context.view(), model.node(block->backbone.conv)).int8();
  if (shortcut_int8 == backbone_int8) return;
  const NodeId quantized = shortcut_int8 ? block->shortcut.conv : block->backbone.conv;
  const NodeId left_float = shortcut_int8 ? block->backbone.conv : block->shortcut.conv;
  FindingBuilder finding = context.add(
      left_float, fmt::format("Conv `{}` is float, Conv `{}` on the other branch of residual Add `{}` is INT8: the "
                              "block may fail to build or fall back to float",
                              context.label(left_float), context.label(quantized), context.label(context.node_id())));
  finding.note(
      "quantization tools replace modules by class: a Conv2d hidden in an nn.Sequential of another class, or a "
      "subclass, is left out");
  add_allocator_notes(finding);
  finding.fix(fmt::format("quantize data and weights of Conv `{}`, or leave the whole block in float",
                          context.label(left_float)),
              left_float);
}

constexpr std::string_view kOps[] = {"Add"};
constexpr std::string_view kEvidence[] = {
    "https://github.com/NVIDIA/TensorRT/issues/3980",
    "NVIDIA/TensorRT tools/pytorch-quantization/docs/source/tutorials/quant_resnet50.rst@release/10.3",
};
constexpr std::string_view kMessages[] = {
    "defaultAllocator.cpp::deallocateAsync * Error Code 1: Cuda Runtime (operation not supported)"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ203",
    .name = "branches-differ-in-precision",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "one branch of a residual block ends in an INT8 convolution, the other in a float one",
    .docs = R"(## What it checks
The two convolutions in front of the Add of a down-sample block: both INT8 (Q/DQ on data and weights), or both float.

## Why TensorRT cares
Both operands of the Add end in a convolution, so the fusion of convolution and sum has two candidates, one of them half float. Builds of such blocks were
reported to stop in this fusion, with an allocator error.

## Example
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float[1,1,1,1] s = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  d = Conv<kernel_shape=[1,1]>(x, s)
  dq = QuantizeLinear(d, a, zero)
  dd = DequantizeLinear(dq, a, zero)
  y = Add(c, dd)
}
```

## Instead
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float[1,1,1,1] s = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  sq = QuantizeLinear(s, b, zero)
  sd = DequantizeLinear(sq, b, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  d = Conv<kernel_shape=[1,1]>(xd, sd)
  dq = QuantizeLinear(d, a, zero)
  dd = DequantizeLinear(dq, a, zero)
  y = Add(c, dd)
}
```

## Fix
Quantize data and weights of the float convolution as well. In PyTorch make sure that every Conv2d, also inside nn.Sequential, is a quantized module: count
the quantized convolutions against all.

## Evidence
The log of NVIDIA/TensorRT issue 3980 (2024, release not given) shows the fusion of such a block; that the mixed precision is its cause is concluded, hence *possible*.
TensorRT-RTX 1.7, which is of 11.4, builds such a block.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::branches_differ_in_precision
