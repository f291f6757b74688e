#include <fmt/core.h>

#include "rules/hardware/int8_group.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::int8_group_not_multiple_of_4 {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const auto group = int8_group(context, node);
  if (!group || group->depthwise() || group->multiples_of_4()) return;
  FindingBuilder finding = context.add(
      fmt::format("INT8 {} has {} input and {} output channels per group (group={}), TensorRT needs multiples of 4",
                  node.op_type, group->in_per_group, group->out_per_group, group->group));
  if (context.has(gates::int8_group_falls_back)) {
    finding.severity(Severity::warning);
    finding.note("from 10.0 on such a layer was seen to build, in float or slower than FP16");
  } else {
    finding.note("Q/DQ on data and weights forbids a fallback to float");
  }
  finding.note(fmt::format("TensorRT would say `Could not find any implementation for node {}`",
                           fused_name(context, context.node_id())),
               context.node_id());
  finding.fix(
      fmt::format("leave {} `{}` in float: remove the Q/DQ pairs (fake quantizers) of its data and its weights; or use "
                  "a multiple of 4 "
                  "channels per group",
                  node.op_type, context.label(context.node_id())));
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, setNbGroups, 7.2 to 11.1",
    "https://github.com/NVIDIA/TensorRT/issues/4060",
    "https://github.com/NVIDIA/TensorRT/issues/4529",
    "https://github.com/NVIDIA/TensorRT/issues/1934",
};
constexpr std::string_view kMessages[] = {"Could not find any implementation for node *"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD101",
    .name = "int8-group-not-multiple-of-4",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a grouped INT8 convolution whose channels per group are no multiple of 4",
    .docs = R"(## What it checks
Conv and ConvTranspose with Q/DQ on data and weights and `group` above 1: input and output channels per group must be multiples of 4. Depthwise convolutions have a rule of
their own. An error for 8.x, a warning later.

## Why TensorRT cares
The header of every release has this rule. Q/DQ on both operands demands INT8, so 8.x ends with `Could not find any implementation for node`, followed by the
names of weight, weight quantizer and convolution joined by " + ". Later releases were seen to fall back to float, or to be slower than FP16.

## Example
```onnx
agraph (float[1,4,4,4] x) => (float[1,4,4,4] y)
<float[4,2,1,1] w = {1,1, 1,1, 1,1, 1,1}, float a = {0.05}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, a, zero)
  wd = DequantizeLinear(wq, a, zero)
  y = Conv<group=2, kernel_shape=[1,1]>(xd, wd)
}
```

## Instead
```onnx
agraph (float[1,4,4,4] x) => (float[1,4,4,4] y)
<float[4,2,1,1] w = {1,1, 1,1, 1,1, 1,1}> {
  y = Conv<group=2, kernel_shape=[1,1]>(x, w)
}
```

## Fix
Remove the two Q/DQ pairs in front of the layer (and the pair after it, if only the layer needed it). Or pad the channels of each group to a multiple of 4; or merge the
groups into a dense convolution with block-diagonal weights.

## Evidence
Documented in the header from 7.2 to 11.1; what the build says in NVIDIA/TensorRT issue 4060.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::convolution.operators,
    .quantized_only = true,
    .check = check,
    .gates = {gates::int8_group_falls_back},
};

}  // namespace trtcheck::rules::int8_group_not_multiple_of_4
