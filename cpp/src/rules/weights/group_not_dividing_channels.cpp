#include <fmt/core.h>
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::rules::group_not_dividing_channels {
namespace {

std::string message(const RuleContext& context, const ConvView& view, const Conflict& conflict) {
  if (view.group <= 0) return fmt::format("group is {}, {} needs 1 or more", view.group, context.node().op_type);
  if (!view.weight0) return conflict.message;
  // The count that the weights carry whole: output channels of Conv, input channels of ConvTranspose.
  return fmt::format("group={} does not divide the {} {} channels of weight `{}`", view.group, *view.weight0,
                     view.transposed ? "input" : "output", context.name(view.weight));
}

void check(RuleContext& context) {
  const Conflict* conflict = context.conflict(ConflictId::conv_group);
  if (conflict == nullptr) return;
  context.add(message(context, context.conv(), *conflict))
      .value(context.name(context.conv().weight))
      .fix("correct `group` or the number of channels of the weights");
}

constexpr ConflictId kConflicts[] = {ConflictId::conv_group};
constexpr std::string_view kEvidence[] = {
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1, `group count must divide output channel count`",
    "https://github.com/NVIDIA/TensorRT-Incubator/issues/617",
    "https://github.com/apache/tvm/pull/7595",
};
constexpr std::string_view kMessages[] = {"group count must divide output channel count",
                                          "num_groups must divide input's channel count",
                                          "num_groups must divide input channel count"};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT104",
    .name = "group-not-dividing-channels",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "the group count of a convolution does not divide its channels",
    .docs = R"(## What it checks
`group` must be positive and divide axis 0 of the weights: the output channels of Conv, the input channels of ConvTranspose.

## Why TensorRT cares
The layer demands that the group count divides both channel counts.

## Example
```onnx
agraph (float[1,4,8,8] x) => (float[1,3,8,8] y)
<float[3,2,1,1] w = {1,1, 1,1, 1,1}> {
  y = Conv<group=2, kernel_shape=[1,1]>(x, w)
}
```

## Instead
```onnx
agraph (float[1,4,8,8] x) => (float[1,4,8,8] y)
<float[4,2,1,1] w = {1,1, 1,1, 1,1, 1,1}> {
  y = Conv<group=2, kernel_shape=[1,1]>(x, w)
}
```

## Fix
Correct `group` or the weights.

## Evidence
What the builder says: `group count must divide output channel count` (TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4), for
ConvTranspose `num_groups must divide input channel count`. A report of 10.x has nearly the same words for the input channels. The header says nothing of it.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .conflicts = kConflicts,
    .ops = kinds::convolution.operators,
    .check = check,
};

}  // namespace trtcheck::rules::group_not_dividing_channels
