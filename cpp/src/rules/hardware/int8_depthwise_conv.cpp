#include <fmt/core.h>

#include "rules/hardware/int8_group.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::int8_depthwise_conv {
namespace {

constexpr ComputeCapability kTuring{7, 5};

void check(RuleContext& context) {
  const Node& node = context.node();
  const auto group = int8_group(context, node);
  if (!group || !group->depthwise()) return;
  const Target& target = context.target();
  const bool old_device = target.compute_capability && *target.compute_capability <= kTuring;
  const bool old_release = !context.has(gates::int8_depthwise_kernels);
  const bool ragged = group->in_channels % 4 != 0 || group->out_channels % 4 != 0;
  const bool refused = ragged && (old_device || old_release);
  const bool doubtful = ragged || old_device || old_release;
  const std::string channels =
      group->in_channels == group->out_channels
          ? fmt::format("{} channels", group->in_channels)
          : fmt::format("{} input and {} output channels", group->in_channels, group->out_channels);
  const std::string what = fmt::format("INT8 depthwise {} with {} (1 per group)", node.op_type, channels);
  FindingBuilder finding =
      context.add(refused    ? fmt::format("{}: {} has no kernel for it unless they are multiples of 4", what,
                                        old_release ? context.release().name() : "compute capability 7.5 or lower")
                  : doubtful ? fmt::format("{}: a kernel may be missing, or the layer may run in float", what)
                             : fmt::format("{}: it may run in float, or slower than in FP16", what));
  finding.reason("a depthwise layer in INT8");
  if (!refused) {
    finding.severity(doubtful ? Severity::warning : Severity::info)
        .certainty(doubtful ? Certainty::likely : Certainty::possible);
  }
  finding.note(
      "the documented rule asks for multiples of 4 channels per group; depthwise layers live on dedicated kernels, for "
      "common sizes");
  if (old_device) finding.note("devices of compute capability 7.5 or lower lack INT8 versions of some layers");
  finding.note(fmt::format("TensorRT would say `Could not find any implementation for node {}`",
                           fused_name(context, context.node_id())),
               context.node_id());
  finding.fix(
      fmt::format("leave {0} `{1}` in float: remove the Q/DQ pairs (fake quantizers) of its data and its weights; its "
                  "neighbours may "
                  "stay quantized",
                  node.op_type, context.label(context.node_id())));
}

constexpr std::string_view kEvidence[] = {
    "https://github.com/NVIDIA/TensorRT/issues/4060",
    "https://github.com/NVIDIA/TensorRT/issues/1556",
    "https://github.com/NVIDIA/TensorRT/issues/3385",
    "NVIDIA/TensorRT include/NvInfer.h, setNbGroups, 7.2 to 11.1",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
};
constexpr std::string_view kMessages[] = {"Could not find any implementation for node *"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD102",
    .name = "int8-depthwise-conv",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a depthwise convolution that Q/DQ forces into INT8",
    .docs = R"(## What it checks
Conv and ConvTranspose with one input channel per group and Q/DQ on data and weights. An error for 8.x, and for devices of compute capability 7.5 or lower, when the channels are
no multiple of 4; a warning when one of the two holds; else information.

## Why TensorRT cares
By the documented rule (multiples of 4 channels per group) no depthwise convolution could run in INT8. Dedicated kernels exist for common sizes, fewer on older devices and in
8.x. Q/DQ forbids a fallback there: `Could not find any implementation for node`, followed by the names of weight, weight quantizer and convolution joined by " + ".

## Example
```onnx
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2,1,1,1] w = {1, 1}, float a = {0.05}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, a, zero)
  wd = DequantizeLinear(wq, a, zero)
  y = Conv<group=2, kernel_shape=[1,1]>(xd, wd)
}
```

## Instead
```onnx
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2,1,1,1] w = {1, 1}> {
  y = Conv<group=2, kernel_shape=[1,1]>(x, w)
}
```

## Fix
Remove the two Q/DQ pairs in front of the layer, keep its neighbours quantized; or build for newer hardware and measure.

## Evidence
NVIDIA/TensorRT issue 4060 (8.6, compute capability 7.5); issue 1556 describes the repair for ragged channels in 8.5. Which sizes have kernels on which device is concluded.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::convolution.operators,
    .quantized_only = true,
    .check = check,
    .gates = {gates::int8_depthwise_kernels},
};

}  // namespace trtcheck::rules::int8_depthwise_conv
