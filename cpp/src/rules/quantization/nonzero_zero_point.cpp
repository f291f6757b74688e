#include <algorithm>

#include <fmt/core.h>

#include "model/tensor_values.hpp"
#include "rules/quantization/recipe.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/dla.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::nonzero_zero_point {
namespace {

constexpr std::int64_t kLimit = kMostElements;

void check(RuleContext& context) {
  const Node& node = context.node();
  const auto zero_point = constant_ints(context.view(), node.input(2), kLimit);
  if (!zero_point) return;
  const auto it = std::ranges::find_if(*zero_point, [](std::int64_t value) { return value != 0; });
  if (it == zero_point->end()) return;
  FindingBuilder finding = context.add(fmt::format("zero point `{}` of {} is {}, TensorRT accepts only 0",
                                                   context.name(node.input(2)), node.op_type, *it));
  finding.value(context.name(node.input(2))).reason("a zero point that is not 0");
  if (is_dequantize(node)) finding.caused_by(producer_of(context.model(), node.input(0)));
  if (context.has(gates::zero_points_on_dla)) {
    finding.note("from 10.11 a parser flag admits asymmetric quantization, for DLA only");
    // Whether the caller sets the flag, the model does not tell.
    if (may_run_on_dla(context.target(), context.release()))
      finding.severity(Severity::warning).certainty(Certainty::likely);
  }
  finding.fix(
      "quantize again with a symmetric scheme (signed INT8, zero point 0); overwriting only the zero point changes "
      "the results" +
      std::string(kWithOnnxRuntime));
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp QuantDequantLinearHelper, 10.10: `TensorRT only supports symmetric "
    "quantization`",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "https://github.com/NVIDIA/TensorRT/issues/2774",
};
constexpr std::string_view kMessages[] = {"TensorRT only supports symmetric quantization",
                                          "Non-zero zero point is not supported"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ101",
    .name = "nonzero-zero-point",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "quantization with a zero point other than 0",
    .docs = R"(## What it checks
Every element of a constant zero point of QuantizeLinear and DequantizeLinear must be 0.

## Why TensorRT cares
On GPU it knows symmetric quantization only, and the parser looks at the values: `TensorRT only supports symmetric quantization`. For DLA
a flag of the parser admits others from 10.11 on, so that it is a warning with `--dla`.

## Example
```onnx
agraph (float[1,4] x) => (float[1,4] y)
<float s = {0.05}, int8 z = {3}> {
  q = QuantizeLinear(x, s, z)
  y = DequantizeLinear(q, s, z)
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
Quantize again with a symmetric scheme. With ONNX Runtime: `ActivationSymmetric=True, WeightSymmetric=True` and signed INT8, with the other options of
[Quantizing with ONNX Runtime](../quantizing.md). Scale and data have to be computed anew, it is not enough to overwrite the zero point.

## Evidence
Parser source, 8.0 to 11.0, and the explicit quantization guide.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::quantizer.operators,
    .check = check,
    .gates = {gates::zero_points_on_dla, kDlaGates},
};

}  // namespace trtcheck::rules::nonzero_zero_point
