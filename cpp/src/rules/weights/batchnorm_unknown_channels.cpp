#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "rules/weights/batchnorm_facts.hpp"
#include "rules/weights/unknown_channel.hpp"

namespace trtcheck::rules {
namespace {

void check(RuleContext& context) {
  const BatchNormFacts facts = batchnorm_facts(context, context.node());
  // With a computed parameter the node becomes elementwise layers, which broadcast at run time.
  if (!facts.all_constant || batchnorm_is_inconsistent(context, context.node())) return;
  const auto reason = unknown_channel(context, facts.data);
  if (!reason) return;
  FindingBuilder finding = context.add(
      fmt::format("channels of input 0 `{}` are unknown at build time, BatchNormalization has {} values per parameter",
                  context.name(facts.data), facts.counts[0].value_or(0)));
  finding.value(context.name(facts.data));
  if (is_doubtful(*reason)) {
    finding.severity(reason->is_copied ? Severity::info : Severity::warning).certainty(Certainty::possible);
  }
  if (reason->kind == UnknownChannel::Kind::elsewhere) finding.caused_by(reason->node);
  explain(context, *reason, facts.counts[0], finding);
  if (reason->kind != UnknownChannel::Kind::symbol) return;
  if (const auto note = other_layout(context, facts)) {
    finding.note(*note);
    finding.fix("insert a Transpose to channels-first before and back after, or export the model channels-first");
  }
}

constexpr std::string_view kOps[] = {"BatchNormalization"};
constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/work-dynamic-shapes.html",
    "NVIDIA/TensorRT include/NvInfer.h, IScaleLayer, 10.1",
};

}  // namespace

extern constinit const Rule batchnorm_unknown_channels{
    .code = "WGT206",
    .name = "batchnorm-unknown-channels",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "BatchNormalization on data whose channel count TensorRT cannot know at build time",
    .docs = R"(## What it checks
Axis 1 of the data must be a number that TensorRT knows when it builds, if all four parameters are constants. Where it is
doubtful whether TensorRT really does not know the number, a warning or information.

## Why TensorRT cares
The node becomes a per-channel scale layer, which needs as many weights as there are channels: the documentation wants that extent at build time.

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
The rule is documented; that the build stops is concluded from it.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .check = check};

}  // namespace trtcheck::rules
