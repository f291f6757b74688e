#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::quantized_constant_operand {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  if (node.inputs.size() != 2) return;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto pair = dequantized(context.view(), node.inputs[i]);
    if (!pair || !context.model().constant(pair->source)) continue;
    if (pair->code != DataType::int8 && pair->code != DataType::float8e4m3fn) continue;
    context
        .add(fmt::format(
            "the constant operand `{}` of {} is quantized: TensorRT folds {} with a float constant into the "
            "layer next to it",
            context.name(node.inputs[i]), node.op_type, node.op_type))
        .value(context.name(node.inputs[i]))
        .reason("a quantized constant operand")
        .fix(fmt::format("leave the constant and {} in float", node.op_type), pair->dq);
    return;
  }
}

constexpr std::string_view kOps[] = {"Add", "Div", "Mul", "Sub"};
constexpr std::string_view kEvidence[] = {
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/graph_utils.py@a2fbac7b",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ220",
    .name = "quantized-constant-operand",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a constant operand of Add, Sub, Mul or Div is quantized",
    .docs = R"(## What it checks
Add, Sub, Mul and Div of which one operand is a constant that comes out of a DequantizeLinear.

## Why TensorRT cares
A sum or product with a float constant is folded into the convolution or the pointwise layer next to it, and costs nothing. Quantized it is a layer of
its own with two INT8 inputs, and the constant has lost digits.

## Example
```onnx
agraph (float[1,4] x) => (y)
<float[4] c = {1,2,3,4}, float a = {0.05}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  cq = QuantizeLinear(c, a, zero)
  cd = DequantizeLinear(cq, a, zero)
  m = Mul(xd, cd)
  mq = QuantizeLinear(m, a, zero)
  y = DequantizeLinear(mq, a, zero)
}
```

## Instead
```onnx
agraph (float[1,4] x) => (y)
<float[4] c = {1,2,3,4}, float a = {0.05}, int8 zero = {0}> {
  m = Mul(x, c)
  mq = QuantizeLinear(m, a, zero)
  y = DequantizeLinear(mq, a, zero)
}
```

## Fix
Leave constants of such layers, and the layers, in float.

## Evidence
Practice of NVIDIA's quantization tool, which leaves them out.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::quantized_constant_operand
