#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::quantized_weights_shared {
namespace {

/// Nodes, or the network's output, that take what the value is.
std::size_t takers(const RuleContext& context, ValueId value) {
  return readers_of(context.model(), value).size() + (context.model().value(value).is_output ? 1 : 0);
}

void check(RuleContext& context) {
  if (context.has(gates::weight_pairs_are_copied)) return;
  const Node& node = context.node();
  const LayerQuantization layer = layer_quantization(context.view(), node);
  if (!layer.weight || !layer.weight->q) return;
  const ValueId codes = context.model().node(layer.weight->q).output(0);
  const ValueId weights = context.model().node(layer.weight->dq).output(0);
  const bool pair_is_shared = takers(context, weights) > 1;
  if (!pair_is_shared && takers(context, codes) <= 1) return;
  const ValueId shared = pair_is_shared ? weights : codes;
  context
      .add(fmt::format("the quantized weights `{}` of {} have another reader{}: {} may fail to join them into one "
                       "layer",
                       context.name(shared), node.op_type,
                       context.model().value(shared).is_output ? ", the output of the network" : "",
                       context.release().name()))
      .value(context.name(shared))
      .note("the build then ends with `Could not fuse 2nd input (kernel weights) of CONVOLUTION`")
      .fix("give each layer a Q/DQ pair of its own on the weights, which may be shared, and none as an output");
}

constexpr std::string_view kEvidence[] = {
    "https://github.com/NVIDIA/TensorRT/issues/1864",
    "https://github.com/NVIDIA/TensorRT/issues/2131",
};
constexpr std::string_view kMessages[] = {"Could not fuse 2nd input (kernel weights) of CONVOLUTION"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ215",
    .name = "quantized-weights-shared",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "up to 8.6: one Q/DQ pair serves the weights of several layers",
    .docs = R"(## What it checks
Up to 8.6: the weights of a Conv or ConvTranspose come out of a Q/DQ pair that another node reads as well, or that is an output of the network.

## Why TensorRT cares
Quantized weights are taken into their layer. Where something else reads them the constant stays outside, and a convolution with two run-time inputs
is refused in the fusion of Q/DQ.

## Example
```onnx target=8.4 opset=13
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  cq = QuantizeLinear(c, a, zero)
  cd = DequantizeLinear(cq, a, zero)
  y = Conv<kernel_shape=[1,1]>(cd, wd)
}
```

## Instead
```onnx target=8.4 opset=13
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  cq = QuantizeLinear(c, a, zero)
  cd = DequantizeLinear(cq, a, zero)
  vq = QuantizeLinear(w, b, zero)
  vd = DequantizeLinear(vq, b, zero)
  y = Conv<kernel_shape=[1,1]>(cd, vd)
}
```

## Fix
One pair per layer, or a release from 9.0 on.

## Evidence
NVIDIA/TensorRT issue 1864 (8.2, the pair is an output) and 2131 (8.4, both branches of a stereo network); that sharing is the cause in the second is
concluded, hence *possible*. TensorRT-RTX 1.5, 1.6 and 1.7 build shared pairs.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::convolution.operators,
    .quantized_only = true,
    .check = check,
    .gates = {gates::weight_pairs_are_copied},
};

}  // namespace trtcheck::rules::quantized_weights_shared
