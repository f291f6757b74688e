#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "layers/forecast.hpp"
#include "rules/quantization/residual.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::float_between_pairs {
namespace {

bool is_resize(const Node& node) { return node.op_type == "Resize" || node.op_type == "Upsample"; }

/// Why a layer runs in float although it is quantized on both sides; "" = it does not.
std::string without_kernel(const RuleContext& context, const Node& node, const Layer& layer) {
  if (layer.type == DataType::float8e4m3fn && node.op_type != "Add" && node.op_type != "MaxPool") {
    return "FP8 is for Conv, Gemm, MatMul and a residual Add";
  }
  if (is_resize(node) && layer.type == DataType::int8 && !context.has(gates::resize_in_int8)) {
    return fmt::format("{} has no INT8 form for most of its modes", context.release().name());
  }
  return "";
}

bool has_quantized_input(const RuleContext& context, const Node& node) {
  return std::ranges::any_of(node.inputs, [&](ValueId input) {
    const auto pair = input ? dequantized(context.view(), input) : std::nullopt;
    return pair && !context.shapes().folds_to_constant(pair->source);
  });
}

/// What is quantized in front of the last layer is dequantized for the user of the network.
bool is_last_layer(const RuleContext& context, const Node& node) {
  return context.model().value(node.output(0)).is_output && readers_of(context.model(), node.output(0)).empty();
}

/// Of a layer that could run quantized.
std::string_view fix_for(const RuleContext& context, const Node& node, LayerReason reason) {
  if (reason != LayerReason::output_float) return "quantize that input as well, or none of them";
  if (is_last_layer(context, node))
    return "remove the pair in front of it: what leaves the network is float in any case";
  return "quantize its result as well, or remove the pair in front of it";
}

void check(RuleContext& context) {
  const Node& node = context.node();
  if (!has_quantized_input(context, node)) return;
  const auto layer = layers_of::forecast(context.view(), context.node_id());
  // Residual blocks have rules of their own.
  if (!layer || residual_add(context, node)) return;
  const std::string missing = without_kernel(context, node, *layer);
  if (missing.empty() && layer->reason == LayerReason::none) return;
  FindingBuilder finding = context.add(fmt::format("{} runs in float although it reads quantized data: {}",
                                                   node.op_type, missing.empty() ? layer->why : missing));
  finding.reason(fmt::format("{}: {}", node.op_type, missing.empty() ? to_string(layer->reason) : "no kernel"));
  if (!missing.empty()) {
    finding.certainty(Certainty::possible)
        .fix("remove the Q/DQ pairs around it, keep those in front of layers with weights");
  } else {
    finding.fix(std::string(fix_for(context, node, layer->reason)));
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "NVIDIA/TensorRT tools/tensorflow-quantization/docs/source/docs/qat.md@release/10.0",
    "https://github.com/NVIDIA/TensorRT/issues/1310",
    "https://github.com/NVIDIA/TensorRT/issues/2976",
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/fp8.py@a2fbac7b",
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/int8.py@a2fbac7b",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ217",
    .name = "float-between-pairs",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a layer without weights runs in float although it reads quantized data",
    .docs = R"(## What it checks
Add, Sub, Mul, Max, Min, Concat, AveragePool, GlobalAveragePool, ReduceMean, Resize and Upsample after a DequantizeLinear: their other inputs and
their result must be quantized too. Also: FP8 pairs around any of them but Add, and INT8 Resize up to 8.6. MaxPool needs one side only. Residual
blocks have rules of their own.

## Why TensorRT cares
Such a layer runs in INT8 when everything that it reads and writes is INT8; it is not moved across Q and DQ, since that would change the rounding.
Otherwise the pair rounds the data and the layer computes in float nevertheless.

## Example
```onnx
agraph (float[1,2,4,4] x) => (y)
<float a = {0.05}, float b = {0.1}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  p = AveragePool<kernel_shape=[2,2]>(xd)
  y = Neg(p)
}
```

## Instead
```onnx
agraph (float[1,2,4,4] x) => (y)
<float a = {0.05}, float b = {0.1}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  p = AveragePool<kernel_shape=[2,2]>(xd)
  pq = QuantizeLinear(p, a, zero)
  y = DequantizeLinear(pq, a, zero)
}
```

## Fix
Quantize both sides, or remove the pair; in front of the last layer, whose result is float in any case, remove it.

## Evidence
Explicit quantization guide. Resize: NVIDIA/TensorRT issues 1310 and 2976, where that concerns most modes, hence *possible*. FP8: practice of NVIDIA's
quantization tool.
)",
    .evidence = kEvidence,
    .ops = kinds::quantizable.operators,
    .quantized_only = true,
    .check = check,
    .gates = {gates::resize_in_int8},
};

}  // namespace trtcheck::rules::float_between_pairs
