#include <fmt/core.h>

#include "rules/hardware/int8_group.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::rules::int8_group_split {
namespace {

void check(RuleContext& context) {
  const auto group = int8_group(context, context.node());
  if (!group || group->depthwise() || !group->multiples_of_4()) return;
  context
      .add(fmt::format("INT8 {} with group={} may be split per group and be slower than FP16", context.node().op_type,
                       group->group))
      .fix("measure the layer with and without its Q/DQ pairs");
}

constexpr std::string_view kEvidence[] = {"https://github.com/NVIDIA/TensorRT/issues/4529"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD103",
    .name = "int8-group-split",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a grouped INT8 convolution that builds, perhaps slower than in FP16",
    .docs = R"(## What it checks
Conv and ConvTranspose with Q/DQ on data and weights, more than one group, and a multiple of 4 channels per group on both sides.

## Why TensorRT cares
Such a layer builds, but was seen to be split into one convolution per group.

## Example
```onnx
agraph (float[1,8,4,4] x) => (float[1,8,4,4] y)
<float[8,4,1,1] w = {1,1,1,1, 1,1,1,1, 1,1,1,1, 1,1,1,1, 1,1,1,1, 1,1,1,1, 1,1,1,1, 1,1,1,1}, float a = {0.05}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, a, zero)
  wd = DequantizeLinear(wq, a, zero)
  y = Conv<group=2, kernel_shape=[1,1]>(xd, wd)
}
```

## Instead
```onnx
agraph (float[1,8,4,4] x) => (float[1,8,4,4] y)
<float[8,4,1,1] w = {1,1,1,1, 1,1,1,1, 1,1,1,1, 1,1,1,1, 1,1,1,1, 1,1,1,1, 1,1,1,1, 1,1,1,1}> {
  y = Conv<group=2, kernel_shape=[1,1]>(x, w)
}
```

## Fix
Measure both; leave the layer in FP16 where that is faster.

## Evidence
NVIDIA/TensorRT issue 4529.
)",
    .evidence = kEvidence,
    .ops = kinds::convolution.operators,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::int8_group_split
