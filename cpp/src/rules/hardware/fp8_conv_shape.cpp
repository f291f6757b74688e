#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::fp8_conv_shape {
namespace {

constexpr std::int64_t kFewChannels = 16;
constexpr std::int64_t kLargeKernel = 32;

std::int64_t kernel_elements(const RuleContext& context, const Node& node) {
  const ValueShape& weights = context.shape(node.input(1));
  std::int64_t product = 1;
  for (std::size_t axis = 2; axis < weights.rank(); ++axis) {
    if (!weights.dims[axis].is_literal()) return 1;
    product *= weights.dims[axis].value();
  }
  return product;
}

void check(RuleContext& context) {
  const Node& node = context.node();
  // Groups have a rule of their own.
  if (!layer_quantization(context.view(), node).fp8() || int_attribute(node, "group", 1) != 1) return;
  const std::string remove =
      fmt::format("remove the FP8 Q/DQ pairs in front of {} `{}`", node.op_type, context.label(context.node_id()));
  const std::int64_t kernel = kernel_elements(context, node);
  if (kernel > kLargeKernel) {
    context
        .add(fmt::format("FP8 {} has a kernel of {} elements: above {} it runs in higher precision", node.op_type,
                         kernel, kLargeKernel))
        .severity(Severity::info)
        .reason("an FP8 convolution with a large kernel")
        .fix(remove);
  }
  const ConvView view = conv_view(context.view(), node);
  if (!view.in_channels || !view.out_channels) return;
  const std::int64_t fewest = std::min(*view.in_channels, *view.out_channels);
  const bool ragged = *view.in_channels % kFewChannels != 0 || *view.out_channels % kFewChannels != 0;
  if (fewest > kFewChannels && !ragged) return;
  const bool may_fail = !context.has(gates::fp8_conv_of_few_channels);
  FindingBuilder finding = context.add(fmt::format(
      "FP8 {} has {} input and {} output channels: FP8 kernels want more than {}, in multiples of {}{}", node.op_type,
      *view.in_channels, *view.out_channels, kFewChannels, kFewChannels, may_fail ? ", and may be missing here" : ""));
  finding.reason("an FP8 convolution of few or ragged channels");
  if (may_fail) {
    finding.certainty(Certainty::possible).note("reported: `Could not find any implementation for node`");
  } else {
    finding.severity(Severity::info);
  }
  finding.fix(remove);
}

constexpr std::string_view kEvidence[] = {
    "https://github.com/NVIDIA/TensorRT/issues/3987",
    "https://docs.nvidia.com/deeplearning/tensorrt/10.12.0/getting-started/release-notes.html",
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/graph_utils.py@a2fbac7b",
};
constexpr std::string_view kMessages[] = {"Could not find any implementation for node *"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD105",
    .name = "fp8-conv-shape",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an FP8 convolution of few channels, or with a large kernel",
    .docs = R"(## What it checks
Conv and ConvTranspose with FP8 Q/DQ on data and weights: more than 16 input and output channels, in multiples of 16, and a kernel of at most 32
elements. Groups are [fp8-grouped-conv](fp8-grouped-conv.md).

## Why TensorRT cares
FP8 kernels are made for wide layers. With a larger kernel the layer runs in higher precision (release notes of 10.12, for GPUs of compute capability
8.9, 9.0, 12.0 and 12.1). With few channels there is nothing to win, and in 10.2 the first convolution of ResNet had no implementation.

## Example
```onnx opset=19 target=10.2
agraph (float[1,3,8,8] x, float[32,3,3,3] w) => (y)
<float a = {0.05}> {
  zero = Constant<value = float8e4m3fn {0}>()
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, a, zero)
  wd = DequantizeLinear(wq, a, zero)
  y = Conv<kernel_shape=[3,3]>(xd, wd)
}
```

## Instead
```onnx opset=19 target=10.2
agraph (float[1,32,8,8] x, float[64,32,3,3] w) => (y)
<float a = {0.05}> {
  zero = Constant<value = float8e4m3fn {0}>()
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, a, zero)
  wd = DequantizeLinear(wq, a, zero)
  y = Conv<kernel_shape=[3,3]>(xd, wd)
}
```

## Fix
Leave the first layer, and other narrow ones, in FP16.

## Evidence
NVIDIA/TensorRT issue 3987 (10.2); release notes of 10.12; NVIDIA's quantization tool leaves such layers out. TensorRT-RTX 1.5, 1.6 and 1.7 build 3
channels and a kernel of 7 times 7, so that it is information from 11.0 on.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::convolution.operators,
    .quantized_only = true,
    .check = check,
    .gates = {gates::fp8_conv_of_few_channels},
};

}  // namespace trtcheck::rules::fp8_conv_shape
