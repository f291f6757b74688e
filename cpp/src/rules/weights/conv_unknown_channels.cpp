#include <fmt/format.h>

#include "rules/quantization/qdq_pattern.hpp"
#include "rules/rule_context.hpp"
#include "rules/weights/conv_facts.hpp"
#include "rules/weights/unknown_channel.hpp"

namespace trtcheck::rules {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const ConvFacts facts = conv_facts(context, node);
  if (facts.group != 1 || conv_is_inconsistent(context, node)) return;
  const auto reason = unknown_channel(context, facts.data);
  if (!reason) return;
  const bool is_int8 = layer_quantization(context, node).int8();
  // Without groups an unknown extent does little harm: not worth a warning on top of a doubt.
  if (is_doubtful(*reason) && !is_int8) return;
  FindingBuilder finding =
      context.add(fmt::format("channels of input 0 `{}` are unknown at build time, {}{} needs them",
                              context.name(facts.data), is_int8 ? "INT8 " : "", node.op_type));
  finding.value(context.name(facts.data));
  finding.caused_by(normalization_at_fault(context, facts));
  if (is_doubtful(*reason)) {
    finding.severity(Severity::warning).certainty(Certainty::possible);
  } else if (!is_int8) {
    finding.severity(Severity::warning);
  }
  if (reason->kind == UnknownChannel::Kind::elsewhere) finding.caused_by(reason->node);
  explain(context, *reason, facts.in_channels, finding);
  if (!is_int8) finding.note("without groups such models are reported to build, against the documented rule");
}

constexpr std::string_view kOps[] = {"Conv", "ConvTranspose"};
constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/work-dynamic-shapes.html",
    "NVIDIA/TensorRT include/NvInfer.h, addConvolutionNd, 10.1",
    "https://github.com/NVIDIA/TensorRT/issues/3273",
};
constexpr std::string_view kMessages[] = {"number of channels in input tensor to a convolution layer must not"};

}  // namespace

extern constinit const Rule conv_unknown_channels{
    .code = "WGT102",
    .name = "conv-unknown-channels",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a convolution without groups whose channel count TensorRT cannot know at build time",
    .docs = R"(## What it checks
Axis 1 of the data of a Conv or ConvTranspose with `group` 1 should be a number that TensorRT knows when it builds. An error
when the layer is INT8 (Q/DQ on data and weights), else a warning. Where it is doubtful whether TensorRT really does not know the
number, one step less.

## Why TensorRT cares
The documentation and the header demand the channel extent at build time. The parser lets an unknown one pass, and the builder
then takes the count from the kernel, which is right as long as there is one group: users report that such models build. The
vectorised INT8 layouts need the number in any case.

## Example
```onnx
agraph (float[1,C,8,8] x) => (float[1,2,8,8] y)
<float[2,2,1,1] w = {1,1, 1,1}> {
  y = Conv<kernel_shape=[1,1]>(x, w)
}
```

## Instead
```onnx
agraph (float[1,2,8,8] x) => (float[1,2,8,8] y)
<float[2,2,1,1] w = {1,1, 1,1}> {
  y = Conv<kernel_shape=[1,1]>(x, w)
}
```

## Fix
Declare the channel axis of the graph input as a number, or write the number in place of the -1 of the Reshape before.

## Evidence
Documented for dynamic shapes ("the channel extent must be a build-time constant") and in the header; that plain convolutions build all the
same is reported in NVIDIA/TensorRT issue 3273.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .check = check};

}  // namespace trtcheck::rules
