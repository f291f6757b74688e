#include <fmt/core.h>

#include "layers/forecast.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::one_operand_quantized {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const LayerQuantization layer = layer_quantization(context.view(), node);
  if (layer.data.has_value() == layer.weight.has_value()) return;
  const Dequantized& pair = layer.data ? *layer.data : *layer.weight;
  // Weight-only 4-bit matrix products are a documented form of their own.
  if (pair.code != DataType::int8 && pair.code != DataType::float8e4m3fn) return;
  // Said by operator-after-dequantize, which names the operator.
  const auto forecast = layers_of::forecast(context.view(), context.node_id());
  if (forecast && forecast->reason == LayerReason::operator_between) return;
  const std::size_t with = layer.data ? 0 : 1;
  context
      .add(fmt::format("input {} `{}` of {} is quantized and input {} `{}` is not: the layer runs in float", with,
                       context.name(node.input(with)), node.op_type, 1 - with, context.name(node.input(1 - with))))
      .value(context.name(node.input(1 - with)))
      .fix(fmt::format("quantize input {} as well, or remove the Q/DQ pair of input {}", 1 - with, with));
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/"
    "quantized-types-explicit-quantization.html"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ205",
    .name = "one-operand-quantized",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "weights quantized without the data of a layer, or the data without the weights",
    .docs = R"(## What it checks
Conv, ConvTranspose, Gemm and MatMul: both operands come out of a DequantizeLinear, or neither. Only the weights in 4 bits is a documented form and
are left out.

## Why TensorRT cares
It quantizes such a layer only if both operands are. With one of them the layer runs in float and the pair is work for nothing.

## Example
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float b = {0.01}, int8 zero = {0}> {
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  y = Conv<kernel_shape=[1,1]>(x, wd)
}
```

## Instead
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  y = Conv<kernel_shape=[1,1]>(xd, wd)
}
```

## Fix
Add the missing pair, or remove the one that is there.

## Evidence
Documented in the explicit quantization guide.
)",
    .evidence = kEvidence,
    .ops = kinds::product.operators,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::one_operand_quantized
