#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "text/plural.hpp"
#include "view/extents.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::zero_point_length {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  if (!node.input(2)) return;
  const auto zero_points = element_count(context.shape(node.input(2)));
  const auto scales = element_count(context.shape(node.input(1)));
  if (!zero_points || !scales || *zero_points == *scales) return;
  FindingBuilder finding =
      context.add(fmt::format("zero point `{}` has {}, scale `{}` has {}", context.name(node.input(2)),
                              counted(*zero_points, "value"), context.name(node.input(1)), *scales));
  finding.value(context.name(node.input(2)));
  if (is_dequantize(node)) finding.caused_by(producer_of(context.model(), node.input(0)));
  finding.fix(fmt::format("give the zero point {} of 0", counted(*scales, "value")));
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp QuantDequantLinearHelper, 10.1: `The scale and zero point must have the same "
    "volume`"};
constexpr std::string_view kMessages[] = {"The scale and zero point must have the same volume"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ105",
    .name = "zero-point-length",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "scale and zero point of different length",
    .docs = R"(## What it checks
Scale and zero point of QuantizeLinear and DequantizeLinear must have the same number of elements.

## Why TensorRT cares
`The scale and zero point must have the same volume`, says the parser. A single zero point beside a per-channel scale is the usual slip.

## Example
```onnx
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2,2,1,1] w = {1,1, 1,1}, float[2] s = {0.1,0.1}, int8 z = {0}, float a = {0.05}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  q = QuantizeLinear<axis=0>(w, s, z)
  d = DequantizeLinear<axis=0>(q, s, z)
  y = Conv<kernel_shape=[1,1]>(xd, d)
}
```

## Instead
```onnx
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
Write a zero point of the scale's shape, all 0.

## Evidence
Parser source, 8.0 to 11.0.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::quantizer.operators,
    .check = check,
};

}  // namespace trtcheck::rules::zero_point_length
