#include <fmt/format.h>

#include "model/attributes.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::operand_types_differ {
namespace {

/// Scales along what is multiplied and summed: the layer runs in float. So it does where nobody measured.
bool has_scales_in_depth(const RuleContext& context, const Dequantized& operand, ValueId value, std::int64_t depth) {
  const ScaleView scale = scale_view(context.view(), context.model().node(operand.dq));
  if (!scale.per_axis()) return false;
  return !operand.direct || !context.shapes()[value].has_rank || scale.axis == depth;
}

/// Measured of data and weights in two types: what is refused runs quantized, what is built in float.
bool runs_in_float(const RuleContext& context, const Node& node, const LayerQuantization& layer) {
  const auto last = [&](ValueId value) { return static_cast<std::int64_t>(context.shapes()[value].rank()) - 1; };
  const ValueId data = node.input(0), weights = node.input(1);
  if (is_a(node.op_type, kinds::convolution)) {
    // A vector for the scale of the data is enough, even of one element.
    if (has_vector_scale(context.view(), context.model().node(layer.data->dq))) return true;
    return has_scales_in_depth(context, *layer.weight, weights, node.op_type == "Conv" ? 1 : 0);
  }
  const bool is_gemm = node.op_type == "Gemm";
  const std::int64_t of_data = is_gemm && int_attribute(node, "transA", 0) != 0 ? 0 : last(data);
  const std::int64_t of_weights = is_gemm ? int_attribute(node, "transB", 0) : last(weights) - 1;
  return has_scales_in_depth(context, *layer.data, data, of_data) ||
         has_scales_in_depth(context, *layer.weight, weights, of_weights);
}

void check(RuleContext& context) {
  const Node& node = context.node();
  const LayerQuantization layer = layer_quantization(context.view(), node);
  if (!layer.data || !layer.weight || layer.data->code == layer.weight->code) return;
  if (runs_in_float(context, node, layer)) return;
  // Of ConvTranspose no version says it for certain, and 11.4 builds one.
  const bool measured = context.has(gates::one_quantized_type) && node.op_type != "ConvTranspose";
  FindingBuilder finding = context.add(fmt::format("data of {} are quantized to {}, weights to {}: {}", node.op_type,
                                                   to_string(layer.data->code), to_string(layer.weight->code),
                                                   measured ? "the build ends" : "no kernel accepts two types"));
  finding.note(fmt::format("the data, `{}`, are dequantized here", context.name(node.input(0))), layer.data->dq);
  finding.note(fmt::format("the weights, `{}`, are dequantized here", context.name(node.input(1))), layer.weight->dq);
  if (!measured) finding.severity(Severity::warning).certainty(Certainty::possible);
  finding.fix(layer.weight->code == DataType::int4 || layer.weight->code == DataType::float4e2m1
                  ? "remove the Q/DQ pair of the data: weights of 4 bits are meant for float data"
                  : "quantize data and weights to one type");
}

constexpr std::string_view kEvidence[] = {
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 parse the Example and do not build it",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
};
constexpr std::string_view kMessages[] = {
    "CHECK(opndA->type() == opndB->type()) failed. Input and filter have to be the same type*"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ214",
    .name = "operand-types-differ",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "data and weights of a layer are quantized to different types",
    .docs = R"(## What it checks
Conv, ConvTranspose, Gemm and MatMul with Q/DQ on both inputs: both to INT8, or FP8, or one other type. Not where the scales are such that the layer runs in float:
several scales along the axis that is summed over, or a vector for the scale of the data of a convolution.

## Why TensorRT cares
A kernel reads both inputs in one type. DequantizeLinear in front of both requires a quantized layer, and there is none for two types: from 10.16 on the
build ends.

## Example
```onnx opset=19
agraph (float[2,2] x) => (float[2,2] y)
<float[2,2] w = {1,1,1,1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  f = Constant<value = float8e4m3fn {0}>()
  xq = QuantizeLinear(x, a, f)
  xd = DequantizeLinear(xq, a, f)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  y = MatMul(xd, wd)
}
```

## Instead
```onnx opset=19
agraph (float[2,2] x) => (float[2,2] y)
<float[2,2] w = {1,1,1,1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  y = MatMul(xd, wd)
}
```

## Fix
Quantize both inputs to one type. Weights of 4 bits go with float data: remove the pair of the data.

## Evidence
TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4, end with *Input and filter have to be the same type* for FP8 with INT8, INT8 with
FP8, INT4 or FP4, and FP8 with INT4; scales of 32 forms were tried one by one. For older releases, and for ConvTranspose, that is concluded, hence a warning.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::product.operators,
    .quantized_only = true,
    .refused_by = RefusedBy::kernels,
    .check = check,
    .gates = {gates::one_quantized_type, kScaleGates},
};

}  // namespace trtcheck::rules::operand_types_differ
