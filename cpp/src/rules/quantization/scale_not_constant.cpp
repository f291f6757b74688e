#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "rules/unknown_channel.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::scale_not_constant {
namespace {

std::string_view consequence(bool is_open, bool is_taken) {
  if (is_open) return "and so is its length, which TensorRT requires at build time";
  return is_taken ? "which TensorRT accepts from 10.13 on" : "TensorRT requires it at build time";
}

void check(RuleContext& context) {
  const Node& node = context.node();
  const ValueId scale = node.input(1);
  if (!scale || !context.model().value(scale).is_defined || context.shapes().folds_to_constant(scale)) return;
  // Of blocked scales only the axis of the blocks has to be known: a row of the operator.
  const bool is_blocked = int_attribute(node, "block_size", 0) > 0;
  const auto length = is_blocked ? std::nullopt : unknown_channel(context, scale, 0);
  const bool is_open = length && length->kind == UnknownChannel::Kind::symbol;
  const bool is_taken = !is_open && context.has(gates::scale_may_vary);
  FindingBuilder finding = context.add(fmt::format("scale `{}` of {} is computed at run time, {}", context.name(scale),
                                                   node.op_type, consequence(is_open, is_taken)));
  finding.value(context.name(scale));
  if (is_taken) finding.severity(Severity::info);
  if (const NodeId producer = producer_of(context.model(), scale)) finding.caused_by(producer);
  finding.fix("calibrate, so that the scale is an initializer (static instead of dynamic quantization)");
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, IQuantizeLayer, 8.6 to 10.12",
    "https://docs.nvidia.com/deeplearning/tensorrt/operators/docs/Quantize.html",
    "onnx-tensorrt onnxOpImporters.cpp QuantDequantLinearHelper, 10.1: `Dynamic shape for scale tensor is not "
    "supported`",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 build computed scales, and refuse them with an unknown length",
};
constexpr std::string_view kMessages[] = {"Dynamic shape for scale tensor is not supported"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ107",
    .name = "scale-not-constant",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a quantization scale that is computed at run time",
    .docs = R"(## What it checks
The scale of QuantizeLinear and DequantizeLinear should not depend on a graph input: an error up to 10.12, information from 10.13 on. A scale whose length is not known when
TensorRT builds is an error in every release.

## Why TensorRT cares
Headers up to 10.12 demand the scale at build time. Later ones demand it of the zero point only, and such models build.

## Example
```onnx target=10.12
agraph (float[1,4] x, float s) => (float[1,4] y)
<int8 z = {0}> {
  q = QuantizeLinear(x, s, z)
  y = DequantizeLinear(q, s, z)
}
```

## Instead
```onnx
agraph (float[1,4] x) => (float[1,4] y)
<float s = {0.05}, int8 z = {0}> {
  q = QuantizeLinear(x, s, z)
  y = DequantizeLinear(q, s, z)
}
```

## Fix
Calibrate statically, so that the scale is stored in the model.

## Evidence
Header and operator page of 8.0 to 10.12, without a report. TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4, build scales that are graph inputs or computed,
one and several, and refuse those of unknown length. Of blocked ones they want the number of blocks only.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::quantizer.operators,
    .check = check,
    .gates = {gates::scale_may_vary},
};

}  // namespace trtcheck::rules::scale_not_constant
