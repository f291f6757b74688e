#include <fmt/core.h>

#include "rules/quantization/recipe.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "view/pair_inside.hpp"

namespace trtcheck::rules::quantized_before_activation {
namespace {

std::string fix_for(const Node& next, const PairInside& pair) {
  if (pair.is_quantized_behind) return fmt::format("remove the pair between: the one after {} is enough", next.op_type);
  if (next.op_type == "BatchNormalization") {
    return "move the pair after BatchNormalization and its activation, or fold BatchNormalization into the weights "
           "first";
  }
  return "move the pair after the activation";
}

void report(RuleContext& context, ValueId value, std::string_view after) {
  const auto pair = pair_inside(context.view(), value);
  if (!pair) return;
  const Node& next = context.model().node(pair->behind[0]);
  context
      .add(
          pair->q,
          fmt::format("Q/DQ stands between {} `{}` and {} `{}`, which TensorRT would fuse into one INT8 layer", after,
                      context.label(producer_of(context.model(), value)), next.op_type, context.label(pair->behind[0])))
      .value(context.name(value))
      .note(fmt::format("{} then stays a kernel of its own, in float", next.op_type), pair->behind[0])
      .fix(fix_for(next, *pair) + std::string(kWithOnnxRuntime));
}

void check(RuleContext& context) {
  const Node& conv = context.node();
  const ValueId result = conv.output(0);
  report(context, result, conv.op_type);
  const std::span<const Use> uses = readers_of(context.model(), result);
  if (uses.size() != 1) return;
  const Node& norm = context.model().node(uses[0].node);
  if (norm.op_type == "BatchNormalization") report(context, norm.output(0), norm.op_type);
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/graph_utils.py@a2fbac7b",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ204",
    .name = "quantized-before-activation",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "Q/DQ between a convolution and the BatchNormalization or activation after it",
    .docs = R"(## What it checks
A Q/DQ pair that is the only thing between Conv (or Conv and BatchNormalization) and a BatchNormalization, Relu, Clip, LeakyRelu or PRelu.

## Why TensorRT cares
Convolution, BatchNormalization and activation become one layer, with one quantizer after them. A pair inside breaks that up, leaves float kernels, and before
a Relu wastes half of the codes on values that are cut off anyway.

## Example
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  cq = QuantizeLinear(c, a, zero)
  cd = DequantizeLinear(cq, a, zero)
  y = Relu(cd)
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
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  r = Relu(c)
  rq = QuantizeLinear(r, a, zero)
  y = DequantizeLinear(rq, a, zero)
}
```

## Fix
Put the pair after the last operator of the chain, or fold BatchNormalization into the weights before quantizing. Where a pair is on both sides of
the activation, remove the one between. ONNX Runtime's quantizer writes both when activations are symmetric; with the options of
[the recipe](../quantizing.md) it writes pairs in front of the layers with weights only.

## Evidence
Documented in the explicit quantization guide.
)",
    .evidence = kEvidence,
    .ops = kinds::convolution.operators,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::quantized_before_activation
