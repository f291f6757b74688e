#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::quantized_output_layer {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const ValueId result = node.output(0);
  if (!result || !context.model().value(result).is_output ||
      context.model().graph(node.graph).kind != Graph::Kind::main)
    return;
  if (!layer_quantization(context.view(), node).int8()) return;
  context
      .add(fmt::format("INT8 ConvTranspose writes graph output `{}`, which is float in any case", context.name(result)))
      .value(context.name(result))
      .fix("leave the last layer in float: remove the Q/DQ pairs of its data and weights");
}

constexpr std::string_view kOps[] = {"ConvTranspose"};
constexpr std::string_view kEvidence[] = {
    "https://github.com/pytorch/TensorRT/issues/2723",
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/int8.py@a2fbac7b",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ303",
    .name = "quantized-output-layer",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a quantized ConvTranspose that writes a graph output",
    .docs = R"(## What it checks
A ConvTranspose with Q/DQ on data and weights whose result is a graph output.

## Why TensorRT cares
The output is float in any case, so that little is won, and the last transposed convolution (few output channels, unequal to its inputs) is where the INT8 form has made the
most trouble.

## Example
```onnx
agraph (float[1,2,4,4] x) => (float[1,3,4,4] y)
<float[2,3,1,1] w = {1,1,1, 1,1,1}, float a = {0.05}, int8 zero = {0}, float s = {0.1}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, s, zero)
  wd = DequantizeLinear(wq, s, zero)
  y = ConvTranspose<kernel_shape=[1,1]>(xd, wd)
}
```

## Instead
```onnx
agraph (float[1,2,4,4] x) => (float[1,3,4,4] y)
<float[2,3,1,1] w = {1,1,1, 1,1,1}> {
  y = ConvTranspose<kernel_shape=[1,1]>(x, w)
}
```

## Fix
Leave the last layer in float.

## Evidence
Practice of NVIDIA's quantization tool; the reports about quantized transposed convolutions concern last layers.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::quantized_output_layer
