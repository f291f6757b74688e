#include <optional>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::gemm_scale_axis {
namespace {

/// The axis of the weights that is summed over; nothing: not known.
std::optional<std::int64_t> summed_axis(const RuleContext& context, const Node& node) {
  const ValueShape& weights = context.shape(node.input(1));
  if (!weights.has_rank || weights.rank() < 2) return std::nullopt;
  if (node.op_type == "Gemm" && int_attribute(node, "transB", 0) != 0) return 1;
  return static_cast<std::int64_t>(weights.rank()) - 2;
}

void check(RuleContext& context) {
  const Node& node = context.node();
  const LayerQuantization layer = layer_quantization(context.view(), node);
  if (!layer.weight || !layer.weight->direct || !layer.data || !(layer.int8() || layer.fp8())) return;
  const Node& weights = context.model().node(layer.weight->dq);
  const ScaleView scale = scale_view(context.view(), weights);
  const auto summed = summed_axis(context, node);
  if (!summed || !scale.per_axis() || scale.axis != *summed) return;
  context
      .add(fmt::format(
          "weight scales `{}` of {} lie along axis {}, which the product sums over: they cannot be applied to "
          "its result, the layer seems to run in float",
          context.name(weights.input(1)), node.op_type, *summed))
      .value(context.name(weights.input(1)))
      .fix(fmt::format("compute one scale per output column and set `axis` to {}",
                       *summed == 1 && node.op_type == "Gemm" ? 0 : *summed + 1),
           layer.weight->dq);
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/int8.py@a2fbac7b",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 build the Example",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ213",
    .name = "gemm-scale-axis",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "weight scales of a matrix product along the axis that it sums over",
    .docs = R"(## What it checks
INT8 and FP8 Gemm and MatMul whose weights have several scales: they must lie along the output columns. That is axis 0 for Gemm with `transB`, else
the last axis.

## Why TensorRT cares
The codes are multiplied and summed as integers, the scales applied to the sums. That works for one scale per output column; scales inside of the sum
cannot be taken out of it, and the weights are dequantized first.

## Example
```onnx
agraph (float[N,2] x) => (float[N,2] y)
<float[2,2] w = {1,1,1,1}, float a = {0.05}, int8 zero = {0}, float[2] s = {0.1,0.2}, int8[2] z = {0,0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear<axis=0>(w, s, z)
  wd = DequantizeLinear<axis=0>(wq, s, z)
  y = MatMul(xd, wd)
}
```

## Instead
```onnx
agraph (float[N,2] x) => (float[N,2] y)
<float[2,2] w = {1,1,1,1}, float a = {0.05}, int8 zero = {0}, float[2] s = {0.1,0.2}, int8[2] z = {0,0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear<axis=1>(w, s, z)
  wd = DequantizeLinear<axis=1>(wq, s, z)
  y = MatMul(xd, wd)
}
```

## Fix
Quantize per output column: `axis` 1 for the weights [K,N] of MatMul and Gemm, 0 for Gemm with `transB`.

## Evidence
Explicit quantization guide. TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4, build all these forms.
)",
    .evidence = kEvidence,
    .ops = kinds::matrix_product.operators,
    .quantized_only = true,
    .check = check,
    .gates = {kScaleGates},
};

}  // namespace trtcheck::rules::gemm_scale_axis
