#include <algorithm>

#include <fmt/core.h>

#include "model/tensor_values.hpp"
#include "rules/quantization/recipe.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::int32_codes {
namespace {

constexpr std::int64_t kLimit = kMostElements;

bool is_bias(const RuleContext& context, const Node& node) {
  return node.output(0) && std::ranges::any_of(context.model().value(node.output(0)).users,
                                               [&](const Use& use) { return use.input == 2; });
}

/// ONNX has no INT32 zero point here; the parser announces INT8 and goes on.
void check_zero_point(RuleContext& context, const Node& node) {
  const ValueId zero_point = node.input(2);
  if (!zero_point || context.shape(zero_point).type != DataType::int32) return;
  if (!is_quantize(node) && context.shape(node.input(0)).type == DataType::int32) return;
  const auto numbers = constant_ints(context.view(), zero_point, kLimit);
  // A zero point other than 0 is refused for itself.
  if (numbers && std::ranges::any_of(*numbers, [](std::int64_t number) { return number != 0; })) return;
  context
      .add(fmt::format("zero point `{}` of {} is INT32, which ONNX forbids; TensorRT accepts it and continues in INT8",
                       context.name(zero_point), node.op_type))
      .severity(Severity::warning)
      .value(context.name(zero_point))
      .fix("store the zero point as INT8");
}

void check(RuleContext& context) {
  const Node& node = context.node();
  check_zero_point(context, node);
  const ValueId data = node.input(0);
  if (is_quantize(node) || context.shape(data).type != DataType::int32 || is_made_by_quantizer(context.view(), data))
    return;
  const bool bias = is_bias(context, node);
  context
      .add(fmt::format("input 0 `{}` of DequantizeLinear is INT32{}, TensorRT accepts INT8, FP8, INT4 or FP4",
                       context.name(data), bias ? " (a quantized bias)" : ""))
      .value(context.name(data))
      .fix(bias ? "store the bias as FLOAT" + std::string(kWithOnnxRuntime) : "store the dequantized values as FLOAT");
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, addDequantize, 10.1",
    "https://github.com/microsoft/onnxruntime/issues/14229",
    "https://github.com/NVIDIA/TensorRT/issues/3360",
    "https://github.com/NVIDIA/TensorRT/issues/4542",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1, `input has type Int32 but must have type FP8, FP4, Int4, or Int8`",
};
constexpr std::string_view kMessages[] = {"only activation types allowed as input to this layer",
                                          "input has type Int32 but must have type FP8, FP4, Int4"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ108",
    .name = "int32-codes",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a DequantizeLinear reads INT32, as quantized biases are stored",
    .docs = R"(## What it checks
The data of a DequantizeLinear must not be INT32. An INT32 zero point of 0 beside other data is a warning.

## Why TensorRT cares
Its dequantize layer accepts INT8, FP8, INT4 and FP4. ONNX Runtime's static quantization stores the bias of Conv and Gemm as INT32 unless told otherwise: `only activation
types allowed as input to this layer`. An INT32 zero point, which ONNX does not have here, is read as one of INT8.

## Example
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, int32[1] b = {5}, float s = {0.01}> {
  d = DequantizeLinear(b, s)
  y = Conv<kernel_shape=[1,1]>(x, w, d)
}
```

## Instead
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float[1] b = {0.05}> {
  y = Conv<kernel_shape=[1,1]>(x, w, b)
}
```

## Fix
Store the bias as FLOAT. ONNX Runtime: `extra_options={"QuantizeBias": False}`, one of the options on [Quantizing with ONNX Runtime](../quantizing.md).

## Evidence
The list of types in the header, reports of 8.x with the message, and one of 10.6 with the word of a maintainer. TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4, refuse the Example
(`input has type Int32 but must have type FP8, FP4, Int4, or Int8`) and build INT32 zero points of 0.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::quantizer.operators,
    .check = check,
};

}  // namespace trtcheck::rules::int32_codes
