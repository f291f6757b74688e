#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::quantized_bias {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const ValueId bias = node.input(2);
  if (!bias) return;
  const auto pair = dequantized(context.view(), bias);
  if (!pair || (pair->code != DataType::int8 && pair->code != DataType::float8e4m3fn)) return;
  context
      .add(fmt::format(
          "the bias `{}` of {} goes through {}: TensorRT adds biases in float, quantizing this one only loses "
          "digits",
          context.name(bias), node.op_type, to_string(pair->code)))
      .value(context.name(bias))
      .fix("leave the bias in float: remove its Q/DQ pair", pair->dq);
}

constexpr std::string_view kOps[] = {"Conv", "ConvTranspose", "Gemm"};
constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/int8.py@a2fbac7b",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ211",
    .name = "quantized-bias",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a bias is quantized to 8 bits",
    .docs = R"(## What it checks
Input 2 of Conv, ConvTranspose and Gemm: an INT8 or FP8 Q/DQ pair in front of it. Biases of INT32 codes are [int32-codes](int32-codes.md).

## Why TensorRT cares
The fused layer sums in higher precision and adds the bias there. Eight bits for the bias win nothing and cost accuracy.

## Example
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}, float[1] bias = {1}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  bq = QuantizeLinear(bias, b, zero)
  bd = DequantizeLinear(bq, b, zero)
  y = Conv<kernel_shape=[1,1]>(xd, wd, bd)
}
```

## Instead
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}, float[1] bias = {1}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  y = Conv<kernel_shape=[1,1]>(xd, wd, bias)
}
```

## Fix
Leave biases in float.

## Evidence
Explicit quantization guide; NVIDIA's tool leaves biases out. TensorRT-RTX 1.7, which is of 11.4, builds the Example.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::quantized_bias
