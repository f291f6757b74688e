#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "rules/unknown_channel.hpp"
#include "rules/weights/inconsistent.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "text/plural.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::grouped_conv_unknown_channels {
namespace {

/// The builder sees the channels of one group, and group must divide them.
bool stops_at_group(const ConvView& view) { return view.weight1 && *view.weight1 % view.group != 0; }

/// What TensorRT-RTX still refuses: ConvTranspose, and weights that the parser takes for a tensor.
bool is_refused_all_the_same(const RuleContext& context, const ConvView& view, const UnknownChannel& reason) {
  if (!is_open_to_all(context, reason, view.data)) return false;
  return view.transposed || (!context.model().constant(view.weight) && stops_at_group(view));
}

/// What TensorRT would print: without a channel count in the tensor it takes the kernel's, which is that of one group.
std::string message_for(const RuleContext& context, const ConvView& view, bool may_build) {
  const std::string what =
      fmt::format("TensorRT cannot know the channels of input 0 `{}` at build time", context.name(view.data));
  if (view.transposed || !view.weight1 || !view.weight_count) {
    return fmt::format("{}, {} with group={} needs them", what, view.transposed ? "ConvTranspose" : "Conv", view.group);
  }
  const std::string who = may_build
                              ? fmt::format("TensorRT before {} sees", to_string(gates::conv_unknown_channels.from))
                              : std::string("it would see");
  const bool is_tensor = !context.model().constant(view.weight);
  if (*view.weight1 == 1 || (is_tensor && stops_at_group(view))) {
    return fmt::format("{}: {} {}, which group={} must divide", what, who, counted(*view.weight1, "input channel"),
                       view.group);
  }
  return fmt::format(
      "{}: {} {} input channels, {} outputs, {} groups and {} with `kernel weights has count {} but {} was expected`",
      what, who, *view.weight1, view.weight0.value_or(0), view.group, may_build ? "stops" : "stop", *view.weight_count,
      *view.weight_count / view.group);
}

void check(RuleContext& context) {
  const ConvView& view = context.conv();
  if (view.group <= 1 || conv_is_inconsistent(context)) return;
  const auto reason = unknown_channel(context, view.data);
  if (!reason) return;
  const bool is_newer = context.has(gates::conv_unknown_channels);
  const bool is_refused = is_newer && is_refused_all_the_same(context, view, *reason);
  const bool may_build = is_newer && !is_refused;
  FindingBuilder finding = context.add(message_for(context, view, may_build));
  finding.value(context.name(view.data));
  finding.caused_by(normalization_at_fault(context));
  if (may_build || (is_doubtful(*reason) && !is_refused)) {
    finding.severity(Severity::warning).certainty(Certainty::possible);
  }
  if (reason->kind == UnknownChannel::Kind::elsewhere) finding.caused_by(reason->node);
  explain(context, *reason, view.in_channels, finding);
  if (!view.transposed && view.in_channels) {
    finding.note(fmt::format("weight `{}` has {} input channels per group, group is {}: {} channels",
                             context.name(view.weight), *view.weight1, view.group, *view.in_channels),
                 context.node_id());
  }
  if (may_build && reason->kind != UnknownChannel::Kind::elsewhere) {
    finding.note("no report is of TensorRT 10.16 or later, and TensorRT-RTX, which is close to it, builds such models");
  }
}

constexpr std::string_view kEvidence[] = {
    "https://github.com/NVIDIA/TensorRT/issues/3720",
    "https://github.com/NVIDIA/TensorRT/issues/2251",
    "https://github.com/NVIDIA/TensorRT/issues/3273",
    "https://github.com/NVIDIA/TensorRT-Incubator/issues/617",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/work-dynamic-shapes.html",
    "measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1 build Conv with stored weights, not with computed, no "
    "ConvTranspose",
};
constexpr std::string_view kMessages[] = {"kernel weights has count * but * was expected",
                                          "num_groups must divide input's channel count",
                                          "number of channels in input tensor must not be dynamic"};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT101",
    .name = "grouped-conv-unknown-channels",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a grouped convolution whose channel count TensorRT cannot know at build time",
    .docs = R"(## What it checks
Axis 1 of the data of a Conv or ConvTranspose with `group` above 1 must be a number that TensorRT knows when it builds. The
question is what *TensorRT* knows: a `-1` in the target of a Reshape, next to entries that are computed at run time, stays
unknown to it, although the number could be worked out. Up to 10.15 it is an error. Where there is doubt about that (the target is
constant and copies every dynamic extent, the profile allows one size only, or an operator hides the extent from us), it is a
warning.

From 10.16 on it is a warning, *possible*: no report is of these releases. It stays an error there if nothing can work the number out and
the node is a ConvTranspose, or a Conv whose weights are computed (by a DequantizeLinear, say) and whose group count does not divide
the channels of one group: INT8 depthwise layers. Nothing can where an extent next to the -1 stands at another place than in the data of the
Reshape: H and W of a channel shuffle do, after its Transpose, a batch size in front does not.

## Why TensorRT cares
The channel extent of a convolution must be a build-time constant. Where it is not, the parser skips its own test, and the
builder reads the count from the kernel, that is the channels of *one group*. It then expects `group` times fewer weights
than there are and stops: `kernel weights has count N but N/group was expected`. With one channel per group it stops because
the group count does not divide 1. `view(b, -1, h, w)` under dynamic axes, as in a channel shuffle, is the usual origin.

## Example
```onnx target=10.13
agraph (float[N,4,H,W] x) => (float[N,4,H,W] y)
<float[4,2,1,1] w = {1,1, 1,1, 1,1, 1,1}, int64[1] i0 = {0}, int64[1] i2 = {2}, int64[1] i3 = {3}, int64[1] any = {-1}> {
  s = Shape(x)
  n = Gather(s, i0)
  h = Gather(s, i2)
  v = Gather(s, i3)
  t = Concat<axis=0>(n, any, h, v)
  r = Reshape(x, t)
  y = Conv<group=2, kernel_shape=[1,1]>(r, w)
}
```

## Instead
```onnx
agraph (float[N,4,H,W] x) => (float[N,4,H,W] y)
<float[4,2,1,1] w = {1,1, 1,1, 1,1, 1,1}, int64[1] i0 = {0}, int64[1] i2 = {2}, int64[1] i3 = {3}, int64[1] c = {4}> {
  s = Shape(x)
  n = Gather(s, i0)
  h = Gather(s, i2)
  v = Gather(s, i3)
  t = Concat<axis=0>(n, c, h, v)
  r = Reshape(x, t)
  y = Conv<group=2, kernel_shape=[1,1]>(r, w)
}
```

## Fix
Write the number in place of the -1: `W.shape[1] * group`. If one entry must stay open, let it be the batch: `[-1, C, h, w]`.
In PyTorch: `x.view(b, C, h, w)` with `C` from the module (`conv.in_channels`), not from `x.size(1)` under tracing.

## Evidence
Four reports with matching numbers (the counts always differ by the factor `group`), of 8.5 to 10.x; the rule that the channel
extent must be known is documented. TensorRT-RTX 1.4 (of the 10.16 branch), 1.5, 1.6 and 1.7 build the Example and the
reported form, also with the channel extent declared as a symbol, as long as the profile's optimum agrees with the weights. They were asked about 900 forms: Conv and ConvTranspose, 1-D to 3-D, one group, several, depthwise, float and INT8, with
a dynamic batch size, dynamic H and W, or both, and five ways to write the targets. Of
ConvTranspose they say `number of channels in input tensor must not be dynamic`, of computed weights with one channel per
group `num_groups must divide input's channel count`.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::convolution.operators,
    .check = check,
    .gates = {gates::conv_unknown_channels},
};

}  // namespace trtcheck::rules::grouped_conv_unknown_channels
