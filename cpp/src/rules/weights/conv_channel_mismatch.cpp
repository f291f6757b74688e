#include <fmt/core.h>

#include "rules/claims.hpp"
#include "rules/rule_context.hpp"
#include "rules/weights/inconsistent.hpp"
#include "schema/kinds.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules::conv_channel_mismatch {
namespace {

std::string message(const RuleContext& context, const ConvView& view, const Conflict& conflict) {
  if (!view.in_channels) return conflict.message;
  const std::string wanted = view.transposed ? fmt::format("axis 0 of weight `{}`", context.name(view.weight))
                                             : fmt::format("axis 1 of weight `{}` is {}, group is {}",
                                                           context.name(view.weight), *view.weight1, view.group);
  return fmt::format("input 0 `{}` has {}, {} needs {} ({})", context.name(view.data),
                     counted(context.dims().text(context.shape(view.data).dims[1]), "channel"), context.node().op_type,
                     *view.in_channels, wanted);
}

void check(RuleContext& context) {
  const Conflict* conflict = context.conflict(ConflictId::conv_channels);
  if (conflict == nullptr) return;
  const ConvView& view = context.conv();
  FindingBuilder finding = context.add(message(context, view, *conflict));
  finding.value(context.name(view.data));
  finding.caused_by(normalization_at_fault(context));
  if (has_claimed_input(context, context.node())) rests_on_claim(finding, "one of the shapes");
  if (!view.in_channels) return;
  const ValueShape& data = context.shape(view.data);
  if (data.dims[data.rank() - 1].is(*view.in_channels)) {
    finding.note(fmt::format("the last axis of `{}` has {}: it looks like channels-last data", context.name(view.data),
                             *view.in_channels));
    finding.fix("insert a Transpose to channels-first before the convolution, or export the model channels-first");
    return;
  }
  finding.fix(fmt::format("feed {} channels, or put weights for {} channels in place", *view.in_channels,
                          context.dims().text(data.dims[1])));
}

constexpr ConflictId kConflicts[] = {ConflictId::conv_channels};
constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp Conv, 10.1: `Kernel weight dimension failed to broadcast to input.`",
    "NVIDIA/TensorRT include/NvInfer.h, addDeconvolutionNd, 10.1",
    "https://github.com/NVIDIA/TensorRT/issues/442",
};
constexpr std::string_view kMessages[] = {"Kernel weight dimension failed to broadcast to input.",
                                          "misalign with the channel size of the input tensor",
                                          "kernel weights has count * but * was expected"};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT103",
    .name = "conv-channel-mismatch",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "data and weights of a convolution disagree about the number of input channels",
    .docs = R"(## What it checks
Axis 1 of the data must be `W.shape[1] * group` for Conv and `W.shape[0]` for ConvTranspose. Reported only where the two can never
be equal. Where one of the shapes is only declared in the file (after an operator that nobody knows), it is a warning.

## Why TensorRT cares
The parser compares them and gives up: `Kernel weight dimension failed to broadcast to input.` A changed number of classes,
channels-last data in a channels-first graph, and weights pruned on one side only are the usual reasons.

## Example
```onnx
agraph (float[N,3,8,8] x) => (float[N,2,8,8] y)
<float[2,2,1,1] w = {1,1, 1,1}> {
  y = Conv<kernel_shape=[1,1]>(x, w)
}
```

## Instead
```onnx
agraph (float[N,2,8,8] x) => (float[N,2,8,8] y)
<float[2,2,1,1] w = {1,1, 1,1}> {
  y = Conv<kernel_shape=[1,1]>(x, w)
}
```

## Fix
Correct the model: no setting of TensorRT helps. Channels-last data needs a Transpose in front.

## Evidence
Parser source, Conv in 8.6 to 11.0; for ConvTranspose the layer refuses.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .conflicts = kConflicts,
    .ops = kinds::convolution.operators,
    .check = check,
};

}  // namespace trtcheck::rules::conv_channel_mismatch
