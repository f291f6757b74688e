#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "rules/weights/batchnorm_words.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules::batchnorm_parameter_count {
namespace {

void check(RuleContext& context) {
  const Conflict* conflict = context.conflict(ConflictId::batchnorm_channels);
  if (conflict == nullptr) return;
  const NormView view = norm_view(context.view(), context.node());
  const auto count = view.counts[0];
  // The elementwise form, taken where a parameter is no constant, broadcasts a single value.
  if (!view.all_constant && count == 1) return;
  if (!count || context.shape(view.data).rank() < 2) {
    context.add(conflict->message).value(context.name(view.data));
    return;
  }
  const ValueShape& data = context.shape(view.data);
  const std::string channels = context.dims().text(data.dims[1]);
  FindingBuilder finding = context.add(
      fmt::format("parameters of BatchNormalization have {}, input 0 `{}` has {} on axis 1: `shift weights has "
                  "count {} but {} was expected`",
                  counted(*count, "value"), context.name(view.data), counted(channels, "channel"), *count, channels));
  finding.value(context.name(view.data));
  if (const auto note = other_layout(context, view)) {
    finding.note(*note);
    finding.fix("insert a Transpose to channels-first before and back after, or export the model channels-first");
    return;
  }
  finding.fix(fmt::format(
      "let both have the same channels: prune the layer before like this one, to {}, or give scale, bias, mean and "
      "variance the {} values of the channels that it has",
      *count, channels));
}

constexpr ConflictId kConflicts[] = {ConflictId::batchnorm_channels};
constexpr std::string_view kOps[] = {"BatchNormalization"};
constexpr std::string_view kEvidence[] = {
    "https://github.com/pytorch/TensorRT/issues/3180",
    "NVIDIA/TensorRT include/NvInfer.h, IScaleLayer, 10.1",
    "onnx-tensorrt onnxOpImporters.cpp BatchNormalization, 10.1",
};
constexpr std::string_view kMessages[] = {"shift weights has count * but * was expected"};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT201",
    .name = "batchnorm-parameter-count",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "the parameters of BatchNormalization do not fit the channel axis of its data",
    .docs = R"(## What it checks
The number of values of scale, bias, mean and variance must be the extent of axis 1 of the data. Reported only where the two can never
be equal.

## Why TensorRT cares
The node becomes one per-channel scale layer. The parser compares the four vectors with each other only; the builder then compares their
count with the channel extent: `shift weights has count 16 but 64 was expected`. Channels-last data in a channels-first graph and weights pruned on
one side only are the usual reasons. `onnx.checker` and strict shape inference accept both.

## Example
```onnx
agraph (float[1,4,4,2] x) => (float[1,4,4,2] y)
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
Transpose channels-last data before and back after, or export again. After pruning, slice the four vectors as the layer before was sliced. Folding
the node into the convolution before removes it altogether.

## Evidence
The count in per-channel mode is documented for the scale layer; the text is quoted from pytorch/TensorRT issue 3180, where a 5-D input met a converter
without a channel axis (Torch-TensorRT 2.4, repaired in 2.5). An ONNX model of that network is right and stays silent here.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .conflicts = kConflicts,
    .ops = kOps,
    .check = check,
};

}  // namespace trtcheck::rules::batchnorm_parameter_count
