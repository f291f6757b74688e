#include <algorithm>

#include <fmt/format.h>

#include "rules/quantization/residual.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::int8_residual_on_pascal {
namespace {

constexpr ComputeCapability kPascal{6, 1};

void check(RuleContext& context) {
  if (context.target().compute_capability != kPascal) return;
  const auto block = residual_add(context, context.node());
  if (!block || !layer_quantization(context.view(), context.model().node(block->backbone.conv)).int8()) return;
  context
      .add(fmt::format("residual Add after the INT8 Conv `{}`: compute capability 6.1 has no kernel for the two in one",
                       context.label(block->backbone.conv)))
      .reason("a quantized residual block on Pascal")
      .fix("leave the model in float for this GPU, or build for a newer one");
}

constexpr std::string_view kEvidence[] = {"https://github.com/NVIDIA/TensorRT/issues/1461",
                                          "https://github.com/NVIDIA/TensorRT/issues/2989",
                                          "https://github.com/NVIDIA/TensorRT/issues/2990"};
constexpr std::string_view kMessages[] = {"Could not find any implementation for node *"};
constexpr std::string_view kOps[] = {"Add"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD305",
    .name = "int8-residual-on-pascal",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a quantized residual block on Pascal",
    .docs = R"(## What it checks
For a GPU of compute capability 6.1: the Add of a residual block whose convolution Q/DQ puts into INT8.

## Why TensorRT cares
Convolution, Add and activation are fused, and Pascal has no INT8 kernel for the fusion: `Could not find any implementation for node`. From 10.0 on Pascal is not supported at all.

## Example
```onnx target=8.6 cc=6.1
agraph (float[1,4,8,8] x) => (float[1,4,8,8] y)
<float[4,4,1,1] w = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}, float a = {0.05}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, a, zero)
  wd = DequantizeLinear(wq, a, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  s = Add(c, xd)
  y = Relu(s)
}
```

## Instead
```onnx target=8.6 cc=7.5
agraph (float[1,4,8,8] x) => (float[1,4,8,8] y)
<float[4,4,1,1] w = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}, float a = {0.05}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, a, zero)
  wd = DequantizeLinear(wq, a, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  s = Add(c, xd)
  y = Relu(s)
}
```

## Fix
Leave the model in float for this GPU, or use a newer one.

## Evidence
NVIDIA/TensorRT issues 1461, 2989 and 2990 (8.0 and 8.5, GTX 1080 and others).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::int8_residual_on_pascal
