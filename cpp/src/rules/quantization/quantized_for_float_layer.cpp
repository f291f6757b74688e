#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::quantized_for_float_layer {
namespace {

/// The first reader of what comes out of the pair behind `q`, when all of them are float; none: there is another.
NodeId float_reader(const RuleContext& context, const Node& q) {
  NodeId first;
  const Model& model = context.model();
  for (const Use& dq : readers_of(model, q.output(0))) {
    if (!is_dequantize(model.node(dq.node))) return {};
    const ValueId value = model.node(dq.node).output(0);
    if (!value || model.value(value).is_output) return {};
    for (const Use& use : readers_of(model, value)) {
      if (!is_a(model.node(use.node).op_type, kinds::float_only)) return {};
      if (!first) first = use.node;
    }
  }
  return first;
}

void check(RuleContext& context) {
  const Node& q = context.node();
  if (!q.input(0) || context.shapes().folds_to_constant(q.input(0))) return;
  const NodeId reader = float_reader(context, q);
  if (!reader) return;
  const Node& layer = context.model().node(reader);
  FindingBuilder finding = context.add(
      fmt::format("`{}` is quantized for {} `{}`, which has no quantized form: the data lose digits and nothing is won",
                  context.name(q.input(0)), layer.op_type, context.label(reader)));
  finding.value(context.name(q.input(0))).reason("a Q/DQ pair in front of layers that have no quantized form");
  finding.note(fmt::format("{} computes in float", layer.op_type), reader);
  finding.fix("remove the pair; quantize the tensor that enters the next Conv, Gemm or MatMul");
}

constexpr std::string_view kOps[] = {"QuantizeLinear"};
constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/graph_utils.py@a2fbac7b",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ221",
    .name = "quantized-for-float-layer",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a Q/DQ pair in front of layers that have no quantized form",
    .docs = R"(## What it checks
A Q/DQ pair on data that only layers read that TensorRT computes in float in any case: Softmax, normalizations, Sigmoid, Tanh, Gelu, Erf, Exp, Pow,
Sqrt, Div, recurrent layers ... Among them the sum of scores and mask in front of the Softmax of attention, and the inner tensors of LayerNorm or GELU
made of single operators.

## Why TensorRT cares
The pair becomes kernels that round to 8 bits and back. Inside of LayerNorm, GELU or attention it also breaks the pattern that TensorRT fuses.

## Example
```onnx
agraph (float[1,4] x, float[1,4] m) => (y)
<float a = {0.05}, int8 zero = {0}> {
  s = Add(x, m)
  sq = QuantizeLinear(s, a, zero)
  sd = DequantizeLinear(sq, a, zero)
  y = Softmax(sd)
}
```

## Instead
```onnx
agraph (float[1,4] x, float[1,4] m) => (y)
<float a = {0.05}, int8 zero = {0}> {
  s = Add(x, m)
  y = Softmax(s)
}
```

## Fix
Remove the pair. Quantize inputs of Conv, Gemm and MatMul; in attention those of both MatMuls, and nothing on the way from the first to Softmax.

## Evidence
Explicit quantization guide (outputs of layers with weights are not quantized by default), practice of NVIDIA's quantization tool.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .check = check,
};

}  // namespace trtcheck::rules::quantized_for_float_layer
