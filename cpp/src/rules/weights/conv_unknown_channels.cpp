#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "rules/unknown_channel.hpp"
#include "rules/weights/inconsistent.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::conv_unknown_channels {
namespace {

struct Judgement {
  Severity severity = Severity::error;
  Certainty certainty = Certainty::likely;
};

Judgement judge(const RuleContext& context, const ConvView& view, const UnknownChannel& reason, bool is_int8) {
  const bool is_newer = context.has(gates::conv_unknown_channels);
  const bool is_open = is_open_to_all(context, reason, view.data);
  if (is_newer && is_open && !is_int8) return {};
  if (is_doubtful(reason) || is_newer) {
    return {Severity::warning, Certainty::possible};
  }
  return is_int8 ? Judgement{} : Judgement{Severity::warning, Certainty::likely};
}

void check(RuleContext& context) {
  const Node& node = context.node();
  const ConvView& view = context.conv();
  if (view.group != 1 || conv_is_inconsistent(context)) return;
  const auto reason = unknown_channel(context, view.data);
  if (!reason) return;
  const bool is_int8 = layer_quantization(context.view(), node).int8();
  if (!view.transposed && !is_int8 && context.has(gates::conv_unknown_channels)) return;
  // Without groups an unknown extent does little harm: not worth a warning on top of a doubt.
  const Judgement judgement = judge(context, view, *reason, is_int8);
  if (is_doubtful(*reason) && !is_int8 && judgement.severity < Severity::error) return;
  FindingBuilder finding =
      context.add(fmt::format("TensorRT cannot know the channels of input 0 `{}` at build time, {}{} needs them",
                              context.name(view.data), is_int8 ? "INT8 " : "", node.op_type));
  finding.value(context.name(view.data));
  finding.caused_by(normalization_at_fault(context));
  finding.severity(judgement.severity).certainty(judgement.certainty);
  if (reason->kind == UnknownChannel::Kind::elsewhere) finding.caused_by(reason->node);
  explain(context, *reason, view.in_channels, finding);
  if (!is_int8 && judgement.severity < Severity::error)
    finding.note("without groups such models are reported to build, against the documented rule");
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/work-dynamic-shapes.html",
    "NVIDIA/TensorRT include/NvInfer.h, addConvolutionNd, 10.1",
    "https://github.com/NVIDIA/TensorRT/issues/3273",
    "measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1 build the Example and refuse the same with ConvTranspose",
};
constexpr std::string_view kMessages[] = {"number of channels in input tensor to a convolution layer must not",
                                          "number of channels in input tensor must not be dynamic"};

}  // namespace

extern constinit const Rule rule{
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
number, one step less. From 10.16 on a Conv in float is not reported, an INT8 Conv is a warning, *possible*, and a ConvTranspose is an error if the
number cannot be worked out.

## Why TensorRT cares
The documentation and the header demand the channel extent at build time. The parser lets an unknown one pass, and the builder
then reads the count from the kernel, which is right as long as there is one group: users report that such models build, and TensorRT-RTX builds them. The
vectorised INT8 layouts are documented to need the number in any case.

## Example
```onnx target=10.13
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
same is reported in NVIDIA/TensorRT issue 3273 (8.5). TensorRT-RTX 1.4 (of the 10.16 branch), 1.5, 1.6 and 1.7 build the Example and ten more forms, with stored and with
computed weights, 1.7 also in INT8 (the others build no INT8 convolution without a GPU); of ConvTranspose they say `number of channels in input tensor must not be dynamic`.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::convolution.operators,
    .check = check,
    .gates = {gates::conv_unknown_channels},
};

}  // namespace trtcheck::rules::conv_unknown_channels
