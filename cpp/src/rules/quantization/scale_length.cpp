#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "rules/unknown_channel.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::scale_length {
namespace {

FindingBuilder add(RuleContext& context, std::string message) {
  const Node& node = context.node();
  FindingBuilder finding = context.add(std::move(message));
  finding.value(context.name(node.input(1)));
  // A pair shares its scale: the DequantizeLinear has nothing to add.
  const NodeId before = producer_of(context.model(), node.input(0));
  if (is_dequantize(node) && before && is_quantize(context.model().node(before))) finding.caused_by(before);
  return finding;
}

/// The parser compares when it reads the model; an extent that is known at run time only counts as -1.
void check_known(RuleContext& context, const ScaleView& scale, const ValueShape& data) {
  const Node& node = context.node();
  const auto axis = static_cast<std::size_t>(scale.axis);
  const auto reason = unknown_channel(context, node.input(0), axis);
  if (!reason || reason->kind != UnknownChannel::Kind::symbol) return;
  add(context,
      fmt::format("scale `{}` has {} values, axis {} of `{}` is {}, which TensorRT does not know when it reads "
                  "the model",
                  context.name(node.input(1)), *scale.count, axis, context.name(node.input(0)),
                  context.dims().text(data.dims[axis])))
      .fix("use one scale, or declare the extent as a number");
}

void check_length(RuleContext& context, const ScaleView& scale, const ValueShape& data) {
  const Node& node = context.node();
  const std::string name(context.name(node.input(1)));
  const auto rank = static_cast<std::int64_t>(data.rank());
  if (scale.axis < 0 || scale.axis >= rank) {
    add(context, fmt::format("axis of {} is {}, the data has rank {}", node.op_type, scale.axis, rank))
        .fix("correct the attribute `axis`");
    return;
  }
  DimTable& dims = context.dims();
  const Dim extent = data.dims[static_cast<std::size_t>(scale.axis)];
  const Truth fits = dims.equal(extent, dims.literal(*scale.count));
  if (fits == Truth::unknown) check_known(context, scale, data);
  if (fits != Truth::no) return;
  FindingBuilder finding =
      add(context, fmt::format("scale `{}` has {} values, axis {} of `{}` has {}", name, *scale.count, scale.axis,
                               context.name(node.input(0)), dims.text(extent)));
  if (!scale.axis_given && scale.axis != scale.onnx_axis) {
    finding.note(fmt::format("there is no attribute `axis`: ONNX means 1, {} reads 0", context.release().name()));
    finding.fix("write the attribute `axis`");
    return;
  }
  for (std::size_t axis = 0; axis < data.rank(); ++axis) {
    if (!data.dims[axis].is(*scale.count)) continue;
    finding.fix(fmt::format(
        "set the attribute `axis` to {} (`axis={}` of the fake quantizer in PyTorch), or give the scale {} values",
        axis, axis, dims.text(extent)));
    return;
  }
  finding.fix(fmt::format("give the scale one value, or {}", dims.text(extent)));
}

void check(RuleContext& context) {
  const Node& node = context.node();
  const ScaleView scale = scale_view(context.view(), node);
  const ValueShape& data = context.shape(node.input(0));
  if (!data.has_rank || !scale.count) return;
  if (scale.per_axis()) {
    check_length(context, scale, data);
    return;
  }
  const bool blocked = scale.rank == data.rank();
  if (*scale.count <= 1 || scale.rank <= 1 || blocked || !context.has(gates::scale_rank_checked)) return;
  add(context, fmt::format("scale `{}` has rank {}, it must have rank 0, 1 or that of `{}`, {}",
                           context.name(node.input(1)), scale.rank, context.name(node.input(0)), data.rank()))
      .fix("give the scale one axis for per-channel quantization");
}

constexpr ConflictId kConflicts[] = {ConflictId::scale_length};
constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp QuantDequantLinearHelper, 10.1: `number of scales is not equal to the number of "
    "output channels`",
    "https://github.com/NVIDIA/Model-Optimizer/issues/16",
    "https://github.com/pytorch/TensorRT/issues/2723",
};
constexpr std::string_view kMessages[] = {
    "number of scales is not equal to the number of output channels", "Invalid rank for the scale tensor",
    "Only a single blocking dimension is allowed", "Inferred block size is not an integer"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ104",
    .name = "scale-length",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a per-channel scale whose length is not the extent of its axis",
    .docs = R"(## What it checks
A scale of several values must have as many as the data has on `axis`, the axis must exist, and (from 10.0) a scale of another rank than 1 must have that of the
data. An extent that is known at run time only fits no number. Where `axis` is missing, the axis that the *target release* reads counts: 0 up to 10.12, ONNX's 1 from 10.13.

## Why TensorRT cares
The parser compares the two: `The number of scales is not equal to the number of output channels`. Per-channel weights have the scale on axis 0 for
Conv, on axis 1 for ConvTranspose in the current releases, on the last axis for MatMul. An extent that it does not know counts as -1 there.

## Example
```onnx
agraph (float[1,2,4,4] x) => (float[1,3,4,4] y)
<float[3,2,1,1] w = {1,1, 1,1, 1,1}, float[2] s = {0.1,0.1}, int8[2] z = {0,0}, float a = {0.05}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  q = QuantizeLinear<axis=0>(w, s, z)
  d = DequantizeLinear<axis=0>(q, s, z)
  y = Conv<kernel_shape=[1,1]>(xd, d)
}
```

## Instead
```onnx
agraph (float[1,2,4,4] x) => (float[1,3,4,4] y)
<float[3,2,1,1] w = {1,1, 1,1, 1,1}, float[3] s = {0.1,0.1,0.1}, int8[3] z = {0,0,0}, float a = {0.05}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  q = QuantizeLinear<axis=0>(w, s, z)
  d = DequantizeLinear<axis=0>(q, s, z)
  y = Conv<kernel_shape=[1,1]>(xd, d)
}
```

## Fix
Correct `axis` or the scale; always write `axis`.

## Evidence
Parser source, 8.0 to 11.0. TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4, refuse four scales on a dynamic batch axis: `Number of output channels = -1, number
of scales = 4`.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .conflicts = kConflicts,
    .ops = kinds::quantizer.operators,
    .check = check,
    .gates = {gates::scale_rank_checked, kScaleGates},
};

}  // namespace trtcheck::rules::scale_length
