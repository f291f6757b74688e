#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/conv_view.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::deconv_scale_axis {
namespace {

/// Axis of per-channel ConvTranspose weights that NVIDIA's own toolkit wrote.
struct AxisRow {
  const Gate* from;
  std::int64_t axis;
  Severity severity;  // of the other axis
};
constexpr std::array kAxes{
    AxisRow{&gates::deconv_axis_zero, 0, Severity::warning},
    AxisRow{&gates::deconv_axis_zero_kept, 0, Severity::info},
    AxisRow{&gates::deconv_axis_one, 1, Severity::warning},
    AxisRow{&gates::deconv_axis_zero_again, 0, Severity::info},
    AxisRow{&gates::deconv_axis_one_again, 1, Severity::warning},
};

const AxisRow* row_of(const ReleaseView& release) {
  const auto newest =
      std::ranges::find_if(kAxes.rbegin(), kAxes.rend(), [&](const AxisRow& row) { return release.has(*row.from); });
  return newest == kAxes.rend() ? nullptr : &*newest;
}

void add_fix(FindingBuilder& finding, const ReleaseView& release) {
  const AxisRow* row = row_of(release);
  finding.fix(
      row != nullptr && row->axis == 1 && release.has(gates::deconv_axis_one_again)
          ? std::string(
                "quantize these weights again with one scale for each entry of axis 1 (`axis=1`), or with one scale "
                "for all of them (the largest one)")
          : std::string("quantize these weights again with one scale for all of them (the largest one)"));
}

void check_axis(RuleContext& context, const Node& quantizer, const ScaleView& scale, const ValueShape& weight) {
  const ReleaseView& release = context.release();
  const AxisRow* row = row_of(release);
  if (row == nullptr || scale.axis == row->axis) return;
  FindingBuilder finding = context.add(
      fmt::format("weight scales `{}` of INT8 ConvTranspose are along axis {}, {} reads them along axis {}: {}",
                  context.name(quantizer.input(1)), scale.axis, release.name(), row->axis,
                  context.has(gates::deconv_builds_in_float) ? "it seems to run in float"
                                                             : "the results are wrong, or the build fails"));
  finding.value(context.name(quantizer.input(1))).severity(row->severity);
  if (row->severity == Severity::info) finding.certainty(Certainty::possible);
  if (!scale.axis_given)
    finding.note("there is no attribute `axis`", producer_of(context.model(), quantizer.output(0)));
  if (scale.axis <= 1 && weight.dims[0].same(weight.dims[1])) {
    finding.note(
        fmt::format("both axes have {} entries, so nothing stops the build: compare the numbers", *scale.count));
  }
  finding.note(
      "weights are [C_in, C_out/group, k...]; the quantization toolkit that belongs to a TensorRT release wrote one "
      "scale "
      "for each entry of axis 1 (8.0, 8.2, 9.2, 9.3, from 10.2) or of axis 0 (8.4 to 9.1, 10.0, 10.1)");
  add_fix(finding, release);
}

/// In these releases several scales on unequal channel counts were refused or computed wrongly.
void check_channels(RuleContext& context, const Node& quantizer, const ScaleView& scale) {
  const ReleaseView& release = context.release();
  const ConvView& view = context.conv();
  if (context.has(gates::deconv_unequal_channels) || !view.in_channels || !view.out_channels ||
      *view.in_channels == *view.out_channels)
    return;
  FindingBuilder finding =
      context.add(fmt::format("INT8 ConvTranspose has {} weight scales with {} input and {} output channels, "
                              "{} needs equal counts for several scales",
                              *scale.count, *view.in_channels, *view.out_channels, release.name()));
  finding.value(context.name(quantizer.input(1)));
  if (context.has(gates::deconv_unequal_channels_in_doubt) || scale.axis != 1) finding.severity(Severity::warning);
  finding.fix("use one scale for these weights (the largest one), or target 8.5 or later");
}

void check(RuleContext& context) {
  const LayerQuantization layer = layer_quantization(context.view(), context.node());
  if (!layer.int8() || !layer.weight->direct) return;
  const NodeId node = layer.weight->q ? layer.weight->q : layer.weight->dq;
  const Node& quantizer = context.model().node(node);
  const ScaleView scale = scale_view(context.view(), quantizer);
  const ValueShape& weight = context.shape(context.node().input(1));
  if (!scale.per_axis() || weight.rank() < 3) return;
  check_axis(context, quantizer, scale, weight);
  check_channels(context, quantizer, scale);
}

constexpr std::string_view kOps[] = {"ConvTranspose"};
constexpr std::string_view kEvidence[] = {
    "https://github.com/NVIDIA/TensorRT/issues/1694",
    "https://github.com/NVIDIA/TensorRT/issues/1699",
    "https://github.com/NVIDIA/TensorRT/issues/1519",
    "NVIDIA/TensorRT tools/pytorch-quantization/pytorch_quantization/tensor_quant.py, branches 8.0 to 10.3",
    "https://github.com/NVIDIA/TensorRT/issues/1293",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 build both axes",
};
constexpr std::string_view kMessages[] = {"number of scales is not equal to the number of output channels"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ301",
    .name = "deconv-scale-axis",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "per-channel weight scales of an INT8 ConvTranspose on the axis that the target release does not expect",
    .docs = R"(## What it checks
An INT8 ConvTranspose whose weights have several scales: the axis must be the one that the target release reads (0 for 8.2 to 8.6, 1 for 9.2, 9.3 and from 10.2; that NVIDIA's toolkit
of 9.0, 9.1, 10.0 and 10.1 wrote 0 is reported as information). Before 8.5 also that input and output channels are equal: an error for 8.0 with axis 1, else a warning. One scale for all weights is fine everywhere.

## Why TensorRT cares
ConvTranspose weights are laid out as [C_in, C_out/group, k...], so axis 1 counts the outputs. Builders and toolkits have changed their mind about the axis
more than once. With equal channel counts the wrong axis builds and computes wrong numbers. From 11.0 on axis 0 seems to run in float.

## Example
```onnx
agraph (float[1,2,4,4] x) => (float[1,3,4,4] y)
<float[2,3,1,1] w = {1,1,1, 1,1,1}, float a = {0.05}, int8 zero = {0}, float[2] s = {0.1,0.1}, int8[2] z = {0,0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear<axis=0>(w, s, z)
  wd = DequantizeLinear<axis=0>(wq, s, z)
  c = ConvTranspose<kernel_shape=[1,1]>(xd, wd)
  y = Relu(c)
}
```

## Instead
```onnx
agraph (float[1,2,4,4] x) => (float[1,3,4,4] y)
<float[2,3,1,1] w = {1,1,1, 1,1,1}, float a = {0.05}, int8 zero = {0}, float s = {0.1}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, s, zero)
  wd = DequantizeLinear(wq, s, zero)
  c = ConvTranspose<kernel_shape=[1,1]>(xd, wd)
  y = Relu(c)
}
```

## Fix
Use one scale for the weights of ConvTranspose, the largest over the channels divided by 127. From 10.2 on, axis 1 is right as well.

## Evidence
Statements of maintainers for 8.0 and 8.2, and what NVIDIA's toolkit wrote in each release. TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4, build axis 0 and
the first two not axis 1, for want of INT8 transposed convolutions without a GPU: axis 0 is none. Torch-TensorRT up to 2.3 has a slip of its own with quantized
transposed convolutions (pytorch/TensorRT issue 2723), which an ONNX model does not meet.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
    .gates = {gates::deconv_axis_zero, gates::deconv_axis_zero_kept, gates::deconv_axis_one,
              gates::deconv_axis_zero_again, gates::deconv_axis_one_again, gates::deconv_builds_in_float,
              gates::deconv_unequal_channels, gates::deconv_unequal_channels_in_doubt, kScaleGates},
};

}  // namespace trtcheck::rules::deconv_scale_axis
