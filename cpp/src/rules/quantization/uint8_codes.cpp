#include <algorithm>

#include <fmt/core.h>

#include "model/tensor_values.hpp"
#include "rules/quantization/recipe.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/dla.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::uint8_codes {
namespace {

constexpr std::int64_t kLimit = kMostElements;

bool is_all_zero(const RuleContext& context, ValueId value) {
  const auto numbers = constant_ints(context.view(), value, kLimit);
  return !numbers || std::ranges::all_of(*numbers, [](std::int64_t number) { return number == 0; });
}

void check(RuleContext& context) {
  const Node& node = context.node();
  const ValueId data = node.input(0);
  if (is_dequantize(node)) {
    if (context.shape(data).type != DataType::uint8 || is_made_by_quantizer(context.view(), data)) return;
    FindingBuilder finding = context.add(fmt::format(
        "input 0 `{}` of DequantizeLinear is UINT8, TensorRT accepts INT8, FP8, INT4 or FP4", context.name(data)));
    finding.value(context.name(data))
        .fix("quantize again to signed INT8 with zero point 0" + std::string(kWithOnnxRuntime));
    if (context.has(gates::zero_points_on_dla) && may_run_on_dla(context.target(), context.release())) {
      finding.severity(Severity::warning).certainty(Certainty::likely);
      finding.note("from 10.11 a parser flag admits UINT8, for DLA only");
    }
    return;
  }
  const ValueId zero_point = node.input(2);
  // A zero point other than 0 is refused for itself.
  if (!zero_point || context.shape(zero_point).type != DataType::uint8 || !is_all_zero(context, zero_point)) return;
  context
      .add(fmt::format("zero point `{}` asks for UINT8, TensorRT quantizes to INT8: codes above 127 are cut off",
                       context.name(zero_point)))
      .severity(Severity::warning)
      .value(context.name(zero_point))
      .fix("quantize again to signed INT8 with zero point 0" + std::string(kWithOnnxRuntime));
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp QuantDequantLinearHelper, 10.10: `TensorRT will use INT8 instead`",
    "onnx-tensorrt onnxOpImporters.cpp QuantDequantLinearHelper, 10.1: `Found unsupported input type of UINT8`",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 build a UINT8 zero point of 0, also with one of 20 operators "
    "between Q and DQ",
};
constexpr std::string_view kMessages[] = {
    "Found unsupported input type of UINT8",
    "TensorRT doesn't support QuantizeLinear/DequantizeLinear with UINT8 zero_point", "TensorRT will use INT8 instead"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ102",
    .name = "uint8-codes",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "quantization to UINT8",
    .docs = R"(## What it checks
UINT8 data of a DequantizeLinear that are stored in the file or enter as a graph input: an error. A UINT8 zero point of a QuantizeLinear, with value 0: a warning,
whatever stands between it and its DequantizeLinear (MaxPool, Relu, Concat, Transpose).

## Why TensorRT cares
It has no UINT8 quantization. UINT8 data are refused (`Found unsupported input type of UINT8`). A UINT8 zero point is announced (`TensorRT will use INT8 instead`) and then
read as INT8, so that the upper half of the range is cut off.

## Example
```onnx
agraph (float[1,4] x) => (float[1,4] y)
<float s = {0.05}, uint8 z = {0}> {
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
Quantize again to signed INT8 with zero point 0. [Quantizing with ONNX Runtime](../quantizing.md) has the options.

## Evidence
Parser source, 8.5 to 11.0. TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4, refuse stored and fed UINT8 data and build what a QuantizeLinear with a UINT8
zero point of 0 made.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::quantizer.operators,
    .check = check,
    .gates = {gates::zero_points_on_dla, kDlaGates},
};

}  // namespace trtcheck::rules::uint8_codes
