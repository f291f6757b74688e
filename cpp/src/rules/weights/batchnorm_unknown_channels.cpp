#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "rules/unknown_channel.hpp"
#include "rules/weights/batchnorm_words.hpp"
#include "rules/weights/inconsistent.hpp"

namespace trtcheck::rules::batchnorm_unknown_channels {
namespace {

void check(RuleContext& context) {
  const NormView view = norm_view(context.view(), context.node());
  // With a computed parameter the node becomes elementwise layers, which broadcast at run time.
  if (!view.all_constant || batchnorm_is_inconsistent(context, context.node_id())) return;
  const auto reason = unknown_channel(context, view.data);
  if (!reason) return;
  FindingBuilder finding = context.add(fmt::format(
      "TensorRT cannot know the channels of input 0 `{}` at build time, BatchNormalization has {} values per parameter",
      context.name(view.data), view.counts[0].value_or(0)));
  finding.value(context.name(view.data));
  if (is_doubtful(*reason)) {
    finding.severity(reason->is_copied ? Severity::info : Severity::warning).certainty(Certainty::possible);
  }
  if (reason->kind == UnknownChannel::Kind::elsewhere) finding.caused_by(reason->node);
  explain(context, *reason, view.counts[0], finding);
  finding.note("it may build where the sizes of the profile's kOPT give as many channels as there are parameters");
  if (reason->kind != UnknownChannel::Kind::symbol) return;
  if (const auto note = other_layout(context, view)) {
    finding.note(*note);
    finding.fix("insert a Transpose to channels-first before and back after, or export the model channels-first");
  }
}

constexpr std::string_view kOps[] = {"BatchNormalization"};
constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/work-dynamic-shapes.html",
    "NVIDIA/TensorRT include/NvInfer.h, IScaleLayer, 10.1",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 build the Example unless the profile's optimum disagrees",
};
constexpr std::string_view kMessages[] = {"ScaleMode::kCHANNEL with * weights but axis 1 has build-time length"};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT206",
    .name = "batchnorm-unknown-channels",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "BatchNormalization on data whose channel count TensorRT cannot know at build time",
    .docs = R"(## What it checks
Axis 1 of the data should be a number that TensorRT knows when it builds, if all four parameters are constants: a warning. Where it is
doubtful whether TensorRT really does not know the number, it is only *possible*, or information.

## Why TensorRT cares
The node becomes a per-channel scale layer, which needs as many weights as there are channels: the documentation requires that extent at build time. Without it the test is put off to
the profile: with an optimum of another extent the build ends in `ScaleMode::kCHANNEL with N weights but axis 1 has build-time length M`, and a
smallest or largest size that disagrees fails at run time.

## Example
```onnx
agraph (float[1,C,4,4] x) => (float[1,C,4,4] y)
<float[2] s = {1,1}, float[2] b = {0,0}, float[2] m = {0,0}, float[2] v = {1,1}> {
  y = BatchNormalization(x, s, b, m, v)
}
```

## Instead
```onnx
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2] s = {1,1}, float[2] b = {0,0}, float[2] m = {0,0}, float[2] v = {1,1}> {
  y = BatchNormalization(x, s, b, m, v)
}
```

## Fix
Declare the channel axis of the graph input as a number, or write the number in place of the -1 of the Reshape before.

## Evidence
The rule is documented. No report shows a build that stops for it, and TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4, build the
Example, the form with the -1 and one in channels-last order, unless the optimum of the profile disagrees.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .check = check,
};

}  // namespace trtcheck::rules::batchnorm_unknown_channels
