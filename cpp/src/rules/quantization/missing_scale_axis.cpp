#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::missing_scale_axis {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const ScaleView scale = scale_view(context.view(), node);
  const ValueShape& data = context.shape(node.input(0));
  if (scale.axis_given || !scale.per_axis() || data.rank() < 2 || !has_axis(context.view(), node)) return;
  const bool reads_zero = reads_missing_axis_as_zero(context.view());
  // Where the extents differ, the length check stops the node: that is `scale-length`.
  DimTable& dims = context.dims();
  if (reads_zero && dims.equal(data.dims[0], dims.literal(*scale.count)) == Truth::no) return;
  FindingBuilder finding = context.add(
      reads_zero ? fmt::format("{} has {} scales and no attribute `axis`: ONNX means axis 1, {} scales axis 0",
                               node.op_type, *scale.count, context.release().name())
                 : fmt::format(
                       "{} has {} scales and no attribute `axis`: ONNX means axis 1, TensorRT up to 10.12 reads axis 0",
                       node.op_type, *scale.count));
  if (!reads_zero) finding.severity(Severity::info);
  const NodeId before = producer_of(context.model(), node.input(0));
  if (is_dequantize(node) && before && is_quantize(context.model().node(before))) finding.caused_by(before);
  finding.fix("write the attribute `axis`", Applicability::safe);
}

constexpr ConflictId kConflicts[] = {ConflictId::scale_length};
constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp QuantDequantLinearHelper, 10.10 and 11.0",
    "https://github.com/onnx/onnx/blob/main/docs/Operators.md#QuantizeLinear",
};
constexpr std::string_view kMessages[] = {"number of scales is not equal to the number of output channels"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ110",
    .name = "missing-scale-axis",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::safe,
    .summary = "several scales and no attribute that says on which axis",
    .docs = R"(## What it checks
QuantizeLinear and DequantizeLinear with a scale of several values should have the attribute `axis`.

## Why TensorRT cares
ONNX's default is 1. The parser reads 0 up to 10.12 when there are several scales: with equal extents on both axes the model builds and computes something else (a
warning), with unequal ones the length check stops it (`scale-length`). From 10.13 the default is ONNX's: information, since the model means something else to older releases.

## Example
```onnx target=10.3
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2,2,1,1] w = {1,1, 1,1}, float[2] s = {0.1,0.1}, int8[2] z = {0,0}, float a = {0.05}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  q = QuantizeLinear(w, s, z)
  d = DequantizeLinear(q, s, z)
  y = Conv<kernel_shape=[1,1]>(xd, d)
}
```

## Instead
```onnx target=10.3
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2,2,1,1] w = {1,1, 1,1}, float[2] s = {0.1,0.1}, int8[2] z = {0,0}, float a = {0.05}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  q = QuantizeLinear<axis=0>(w, s, z)
  d = DequantizeLinear<axis=0>(q, s, z)
  y = Conv<kernel_shape=[1,1]>(xd, d)
}
```

## Fix
Always write `axis`.

## Evidence
Parser source of 8.6, 10.1 and 10.10 against 11.0; the operator's definition.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .conflicts = kConflicts,
    .ops = kinds::quantizer.operators,
    .check = check,
    .gates = {kScaleGates},
};

}  // namespace trtcheck::rules::missing_scale_axis
