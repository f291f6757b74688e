#include <fmt/format.h>

#include "layers/forecast.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::operator_after_dequantize {
namespace {

bool is_constant_pair(const RuleContext& context, const Dequantized& pair) {
  return context.shapes().folds_to_constant(pair.source) || context.model().constant(pair.source);
}

bool is_matrix_transpose(const RuleContext& context, const Node& node) {
  return node.op_type == "Transpose" && context.shape(node.input(0)).rank() == 2;
}

/// Weights whose codes are rearranged before the layer takes them.
void check_weights(RuleContext& context) {
  const Node& node = context.node();
  const LayerQuantization layer = layer_quantization(context.view(), node);
  if (!layer.weight || layer.weight->direct || !is_constant_pair(context, *layer.weight)) return;
  const NodeId between = producer_of(context.model(), node.input(1));
  if (!between || is_matrix_transpose(context, context.model().node(between))) return;
  FindingBuilder finding = context.add(
      fmt::format("{} `{}` stands between the DequantizeLinear of the weights and {}: the weights may stay dequantized",
                  context.model().node(between).op_type, context.label(between), node.op_type));
  finding.certainty(Certainty::possible).value(context.name(node.input(1)));
  if (scale_view(context.view(), context.model().node(layer.weight->dq)).per_axis()) {
    finding.note("the axis of the scales refers to the layout before it", layer.weight->dq);
  }
  finding.fix(fmt::format("store the weights as they are after {}", context.model().node(between).op_type), between);
}

void check(RuleContext& context) {
  const auto layer = layers_of::forecast(context.view(), context.node_id());
  if (!layer || layer->reason != LayerReason::operator_between) return check_weights(context);
  context.add(layer->why + ": the layer runs in float")
      .reason(context.model().node(layer->at).op_type)
      .note("between DequantizeLinear and the layer", layer->at)
      .fix(fmt::format("put the Q/DQ pair after {}", context.model().node(layer->at).op_type), layer->at);
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "NVIDIA/Model-Optimizer modelopt/onnx/graph_surgery/dq_transpose.py@a2fbac7b",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ212",
    .name = "operator-after-dequantize",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an operator stands between DequantizeLinear and the layer that is to run quantized",
    .docs = R"(## What it checks
Conv, ConvTranspose, Gemm and MatMul with Q/DQ of which one input passes another operator first: one that Q/DQ cannot be moved across (Cast, Abs, Add
...), or, on the way of constant weights, one that rearranges them (Reshape, Unsqueeze, Slice, Transpose of more than two axes). DequantizeLinear,
Transpose, MatMul of a matrix is a known form.

## Why TensorRT cares
The layer runs quantized when both inputs come out of a DequantizeLinear, or TensorRT can move it there. After Cast or Abs the data are float, and
the layer is. Weights that are rearranged are mostly taken as codes; where they are not, they are stored as floats. The axis of several scales is that
of the layout *before* the operator.

## Example
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  e = Abs(xd)
  y = Conv<kernel_shape=[1,1]>(e, wd)
}
```

## Instead
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  e = Abs(x)
  xq = QuantizeLinear(e, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  y = Conv<kernel_shape=[1,1]>(xd, wd)
}
```

## Fix
Put the pair directly in front of the layer; rearrange weights in the file.

## Evidence
Concluded from the explicit quantization guide; NVIDIA's tool moves such operators in front of the pair. TensorRT-RTX 1.7 builds reshaped and
transposed INT8 weights.
)",
    .evidence = kEvidence,
    .ops = kinds::product.operators,
    .quantized_only = true,
    .check = check,
    .gates = {kScaleGates},
};

}  // namespace trtcheck::rules::operator_after_dequantize
