#include <fmt/core.h>

#include "rules/quantization/residual.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::backbone_quantized_before_add {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const auto block = residual_add(context, node);
  if (!block || !block->backbone.pair) return;
  if (!layer_quantization(context.view(), context.model().node(block->backbone.conv)).int8()) return;
  const ValueId operand = node.inputs[block->backbone.operand];
  const ValueId shortcut = node.inputs[block->shortcut.operand];
  const bool both = block->shortcut.pair.has_value();
  const std::string conv = context.label(block->backbone.conv);
  // What was reported to fail is a down-sample block whose branches differ.
  const bool may_fail = !both && block->shortcut.conv;
  FindingBuilder finding = context.add(
      both ? fmt::format("both operands of this residual Add have Q/DQ, only shortcut `{}` should: Conv `{}` cannot be "
                         "fused with the Add",
                         context.name(shortcut), conv)
           : fmt::format(
                 "the result of Conv `{}` has Q/DQ before this residual Add and shortcut `{}` has none, it "
                 "should be the other way round: {}",
                 conv, context.name(shortcut),
                 may_fail ? "the block may fail to build or fall back to float" : "the sum is written in float"));
  finding.value(context.name(operand));
  finding.note("the pair makes the convolution write INT8 before the sum", block->backbone.pair->dq);
  if (may_fail) {
    finding.certainty(Certainty::likely);
    add_allocator_notes(finding);
  } else {
    finding.severity(Severity::info);
  }
  finding.fix(both ? fmt::format("remove the Q/DQ pair between Conv `{}` and the Add", conv)
                   : fmt::format("move the Q/DQ pair from the side of Conv `{}` to `{}`", conv, context.name(shortcut)),
              block->backbone.conv);
}

constexpr std::string_view kOps[] = {"Add"};
constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT tools/tensorflow-quantization/docs/source/docs/add_custom_qdq_cases.md@release/10.0",
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/graph_utils.py@a2fbac7b",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "https://github.com/NVIDIA/TensorRT/issues/3980",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ202",
    .name = "backbone-quantized-before-add",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "Q/DQ between the last convolution of a residual block and its Add",
    .docs = R"(## What it checks
A Q/DQ pair between the INT8 convolution that the main branch of a residual block ends in and the Add, with or without a pair on the
shortcut.

## Why TensorRT cares
TensorRT fuses the convolution with the Add (and the Relu after it). A pair in between makes the convolution write INT8 before the sum and prevents that.
That costs speed: information. If the shortcut has no pair either, the sum is float on top of it; in a down-sample block two convolutions then
compete for the fusion, and a build was reported to fail there: a warning.

## Example
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  cq = QuantizeLinear(c, a, zero)
  cd = DequantizeLinear(cq, a, zero)
  y = Add(cd, x)
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
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  y = Add(c, xd)
}
```

## Fix
Remove the pair on the convolution's side; keep (or insert) the one on the shortcut.

## Evidence
NVIDIA's quantization tools leave the convolution's side bare on purpose; the guide says the same.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::backbone_quantized_before_add
