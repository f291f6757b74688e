#include <fmt/format.h>

#include "model/walk.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::quantized_inside_activation {
namespace {

constexpr std::size_t kLookBack = 4;

/// What the value was before it was quantized: behind pairs, and what commutes with them.
ValueId behind_pairs(const RuleContext& context, ValueId value) {
  ValueId last = value;
  walk<kLookBack + 1>(value, [&](ValueId at, auto& onward) {
    last = at;
    if (const auto pair = dequantized(context.view(), at)) onward.add(pair->source);
    return false;
  });
  return last;
}

/// The gate that `value` is computed by: Sigmoid or HardSigmoid.
NodeId gate_of(const RuleContext& context, ValueId value) {
  const NodeId id = producer_of(context.model(), value);
  if (!id) return {};
  const Node& node = context.model().node(id);
  return node.op_type == "Sigmoid" || node.op_type == "HardSigmoid" ? id : NodeId{};
}

void check(RuleContext& context) {
  const Node& node = context.node();
  if (node.inputs.size() != 2 || !node.inputs[0] || !node.inputs[1]) return;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto pair = dequantized(context.view(), node.inputs[i]);
    if (!pair) continue;
    const NodeId gate = gate_of(context, pair->source);
    if (!gate) continue;
    const ValueId gated = behind_pairs(context, context.model().node(gate).input(0));
    if (gated != behind_pairs(context, node.inputs[1 - i])) continue;
    const NodeId maker = producer_of(context.model(), gated);
    const bool behind_conv = maker && context.model().node(maker).op_type == "Conv" &&
                             layer_quantization(context.view(), context.model().node(maker)).int8();
    const bool may_fail = behind_conv && !context.has(gates::int8_swish);
    FindingBuilder finding = context.add(fmt::format(
        "Q/DQ stands inside of the activation x*{}(x), between {} `{}` and Mul: it is not fused into one kernel{}",
        context.model().node(gate).op_type, context.model().node(gate).op_type, context.label(gate),
        may_fail ? ", and the convolution in front of it may have no implementation" : ""));
    finding.value(context.name(pair->source)).reason("Q/DQ inside of an activation");
    if (may_fail) {
      finding.severity(Severity::warning).certainty(Certainty::possible);
      finding.note(fmt::format("reported for 8.x: `Could not find any implementation for node {} + PWN(...)`",
                               context.label(maker)),
                   maker);
    } else {
      finding.severity(Severity::info).certainty(Certainty::likely);
    }
    finding.fix("remove the pair between the two; quantize after Mul", pair->dq);
    return;
  }
}

constexpr std::string_view kOps[] = {"Mul"};
constexpr std::string_view kEvidence[] = {
    "https://github.com/NVIDIA/TensorRT/issues/3640",
    "https://github.com/NVIDIA/TensorRT/issues/3385",
    "https://github.com/NVIDIA/TensorRT/issues/3579",
    "https://github.com/NVIDIA/TensorRT/issues/1847",
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/graph_utils.py@a2fbac7b",
};
constexpr std::string_view kMessages[] = {"Could not find any implementation for node * + PWN(*"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ222",
    .name = "quantized-inside-activation",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "Q/DQ between Sigmoid and Mul of one activation (Swish, HardSwish)",
    .docs = R"(## What it checks
Mul(x, Sigmoid(x)) and Mul(x, HardSigmoid(x)) with a Q/DQ pair between the two operators. A warning up to 8.6 after an INT8 Conv, else information.

## Why TensorRT cares
The two operators become one pointwise kernel, or a part of the convolution in front of them. A pair inside prevents that: three kernels instead of
one. In 8.x an INT8 convolution with such an activation had no implementation on some platforms.

## Example
```onnx target=10.13 opset=13
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  s = Sigmoid(c)
  sq = QuantizeLinear(s, a, zero)
  sd = DequantizeLinear(sq, a, zero)
  cq = QuantizeLinear(c, a, zero)
  cd = DequantizeLinear(cq, a, zero)
  m = Mul(cd, sd)
  mq = QuantizeLinear(m, a, zero)
  y = DequantizeLinear(mq, a, zero)
}
```

## Instead
```onnx target=10.13 opset=13
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  s = Sigmoid(c)
  m = Mul(c, s)
  mq = QuantizeLinear(m, a, zero)
  y = DequantizeLinear(mq, a, zero)
}
```

## Fix
Quantize after Mul only; in 8.x leave the activation in float, or use Relu.

## Evidence
NVIDIA/TensorRT issues 3640, 3385, 3579 and 1847 (8.x, *Could not find any implementation*); that the pair is the cause is not proven, hence
*possible*. Practice of NVIDIA's quantization tool. TensorRT-RTX 1.7 builds it.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
    .gates = {gates::int8_swish},
};

}  // namespace trtcheck::rules::quantized_inside_activation
