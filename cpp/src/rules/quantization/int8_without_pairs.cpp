#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "layers/forecast.hpp"
#include "layers/work.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::int8_without_pairs {
namespace {

/// Layers with weights that no Q/DQ stands near.
void check_layers(RuleContext& context) {
  std::vector<NodeId> left;
  std::size_t all = 0;
  for (const NodeId id : context.nodes()) {
    if (!layers_of::multiplies(context.model().node(id))) continue;
    const auto layer = layers_of::forecast(context.view(), id);
    if (!layer) continue;
    ++all;
    if (layer->reason == LayerReason::not_quantized) left.push_back(id);
  }
  if (left.empty()) return;
  FindingBuilder finding = context.add_model(
      fmt::format("precision `int8`: {} of {} layers with weights have no Q/DQ and run in float, whatever is asked for",
                  left.size(), all));
  finding.note(fmt::format("the first is {} `{}`", context.model().node(left[0]).op_type, context.label(left[0])),
               left[0]);
  finding.note("Q/DQ in the file decides everything: calibration tables and dynamic ranges are ignored");
  finding.note("each change between INT8 and float costs a kernel that converts data and layout");
  const Target& target = context.target();
  if (!is_strongly_typed(context.release(), context.target().strongly_typed) && !target.asks_for(Precision::fp16) &&
      !target.asks_for(Precision::bf16)) {
    finding.note("FP16 is not asked for beside it: they run in FP32, often slower than an engine that is all FP16");
  }
  finding.fix("quantize every layer that is to run in INT8; `trtcheck quantization` lists them");
}

void check(RuleContext& context) {
  if (!context.target().asks_for(Precision::int8)) return;
  if (context.view().is_quantized) return check_layers(context);
  // From 11.0 on the flag does nothing: precision-without-flag.
  if (is_strongly_typed(context.release(), context.target().strongly_typed)) return;
  FindingBuilder finding = context.add_model(
      "precision `int8`: the model has no Q/DQ, so that INT8 needs a calibrator or dynamic ranges; without them no "
      "layer "
      "runs in INT8");
  if (context.has(gates::calibration_deprecated)) {
    finding.note("calibrators are deprecated from 10.1 on and gone in 11.0");
  }
  finding.fix("quantize the file with `python -m modelopt.onnx.quantization`");
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/work-quantized-types.html",
    "https://github.com/NVIDIA/TensorRT/issues/4180",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ224",
    .name = "int8-without-pairs",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "INT8 is asked for, and layers have no Q/DQ",
    .docs = R"(## What it checks
With `--precision int8`: a model without Q/DQ (up to 10.16), and one with Q/DQ in which some Conv, ConvTranspose, Gemm or MatMul have none.

## Why TensorRT cares
Without Q/DQ TensorRT quantizes by calibration, for which the application has to bring a calibrator or dynamic ranges; from 11.0 on it cannot. One
Q/DQ node is enough to switch that off: then only layers between Q and DQ run in INT8, `--int8` and `--best` change nothing for the others. In a weakly typed
network these run in FP32, unless FP16 is allowed as well.

## Example
```onnx target=10.13 precision=int8
agraph (float[N,4] x) => (float[N,4] y) {
  y = Relu(x)
}
```

## Instead
```onnx target=10.13 precision=int8
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
Put Q/DQ on both inputs of every layer that is to run in INT8.

## Evidence
Explicit quantization guide; calibration: NVIDIA/TensorRT CHANGELOG.md, 10.1 and 11.0.
)",
    .evidence = kEvidence,
    .check = check,
    .gates = {gates::calibration_deprecated, kStrongTypingGates},
};

}  // namespace trtcheck::rules::int8_without_pairs
