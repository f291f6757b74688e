#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::fp8_grouped_conv {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const std::int64_t group = int_attribute(node, "group", 1);
  if (group <= 1 || !layer_quantization(context.view(), node).fp8()) return;
  context
      .add(fmt::format(
          "FP8 {} has group={}, TensorRT has no optimized FP8 kernel for groups: higher precision, or slower than FP16",
          node.op_type, group))
      .fix(
          fmt::format("remove the FP8 Q/DQ pairs in front of {} `{}`", node.op_type, context.label(context.node_id())));
}

constexpr std::string_view kEvidence[] = {
    "https://github.com/NVIDIA/TensorRT/issues/4524",
    "https://docs.nvidia.com/deeplearning/tensorrt/10.12.0/getting-started/release-notes.html",
};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD104",
    .name = "fp8-grouped-conv",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a grouped convolution that Q/DQ puts into FP8",
    .docs = R"(## What it checks
Conv and ConvTranspose with FP8 Q/DQ on data and weights and `group` above 1.

## Why TensorRT cares
There are no optimized FP8 kernels for grouped and depthwise convolutions: the layer runs in higher precision, or slower than in FP16.

## Example
```onnx opset=19
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2,1,1,1] w = {1, 1}, float a = {0.05}> {
  zero = Constant<value = float8e4m3fn {0}>()
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, a, zero)
  wd = DequantizeLinear(wq, a, zero)
  y = Conv<group=2, kernel_shape=[1,1]>(xd, wd)
}
```

## Instead
```onnx opset=19
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2,1,1,1] w = {1, 1}> {
  y = Conv<group=2, kernel_shape=[1,1]>(x, w)
}
```

## Fix
Leave grouped convolutions out of FP8.

## Evidence
Release notes of 10.12, and NVIDIA/TensorRT issue 4524.
)",
    .evidence = kEvidence,
    .ops = kinds::convolution.operators,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::fp8_grouped_conv
