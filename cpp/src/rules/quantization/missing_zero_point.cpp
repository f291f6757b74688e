#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::missing_zero_point {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  if (node.input(2)) return;
  if (!context.has(gates::zero_point_optional)) {
    FindingBuilder finding =
        context.add(fmt::format("{} has no zero point, releases before 9.0 need it", node.op_type));
    if (is_dequantize(node)) finding.caused_by(producer_of(context.model(), node.input(0)));
    finding.fix("add a zero point of the scale's shape, INT8, all 0");
    return;
  }
  if (is_dequantize(node) || int_attribute(node, "output_dtype", 0) != 0) return;
  context.add("QuantizeLinear has no zero point: ONNX means UINT8, TensorRT quantizes to INT8")
      .severity(Severity::warning)
      .fix("add a zero point of the scale's shape, INT8, all 0, and see that the scale is meant for a signed range");
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt builtin_op_importers.cpp QuantDequantLinearHelper, 8.6",
    "onnx-tensorrt onnxOpImporters.cpp QuantDequantLinearHelper, 10.1",
};
constexpr std::string_view kMessages[] = {"requires 3 inputs for the * operator"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ109",
    .name = "missing-zero-point",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "quantization without a zero point",
    .docs = R"(## What it checks
QuantizeLinear and DequantizeLinear with two inputs. Before 9.0 an error; later a warning for QuantizeLinear without `output_dtype`.

## Why TensorRT cares
The parser of 8.x fetches the third input without looking whether it is there. Later ones use INT8 where it is missing, while ONNX means UINT8: the codes above 127 are
cut off in silence.

## Example
```onnx
agraph (float[1,4] x) => (float[1,4] y)
<float s = {0.05}> {
  q = QuantizeLinear(x, s)
  y = DequantizeLinear(q, s)
}
```

## Instead
```onnx
agraph (float[1,4] x) => (float[1,4] y)
<float s = {0.05}, int8 z = {0}> {
  q = QuantizeLinear(x, s, z)
  y = DequantizeLinear(q, s, z)
}
```

## Fix
Write the zero point: INT8, the scale's shape, all 0.

## Evidence
Parser source, 8.5 to 10.10.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::quantizer.operators,
    .check = check,
    .gates = {gates::zero_point_optional},
};

}  // namespace trtcheck::rules::missing_zero_point
