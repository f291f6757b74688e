#include <fmt/format.h>

#include "rules/quantization/qdq_pattern.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

// From here on the header asks for a build-time zero point only.
constexpr TrtVersion kScaleMayVary{10, 13};

void check(RuleContext& context) {
  const Node& node = context.node();
  const ValueId scale = node.input(1);
  if (!scale || !context.model().value(scale).is_defined || context.shapes().folds_to_constant(scale)) return;
  FindingBuilder finding = context.add(fmt::format(
      "scale `{}` of {} is computed at run time, TensorRT wants it when it builds", context.name(scale), node.op_type));
  finding.value(context.name(scale));
  if (context.target().release >= kScaleMayVary) finding.severity(Severity::warning).certainty(Certainty::likely);
  if (const NodeId producer = producer_id(context, scale)) finding.caused_by(producer);
  finding.fix("calibrate, so that the scale is an initializer (static instead of dynamic quantization)");
}

constexpr std::string_view kOps[] = {"QuantizeLinear", "DequantizeLinear"};
constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, IQuantizeLayer, 8.6 to 10.12",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/_static/operators/Quantize.html",
    "https://github.com/NVIDIA/TensorRT/issues/4698",
};
constexpr std::string_view kMessages[] = {"Dynamic shape for scale tensor is not supported"};

}  // namespace

extern constinit const Rule scale_not_constant{.code = "QDQ107",
                                               .name = "scale-not-constant",
                                               .since = "0.1.0",
                                               .severity = Severity::error,
                                               .certainty = Certainty::proven,
                                               .fix = Applicability::display,
                                               .summary = "a quantization scale that is computed at run time",
                                               .docs = R"(## What it checks
The scale of QuantizeLinear and DequantizeLinear must not depend on a graph input.

## Why TensorRT cares
Headers up to 10.12 demand the scale at build time: an error there. Later ones demand it of the zero point only, while the operator page keeps the old wording: a
warning.

## Example
```onnx
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
Header of 8.0 to 10.12; the operator page of the newest release.
)",
                                               .evidence = kEvidence,
                                               .messages = kMessages,
                                               .ops = kOps,
                                               .check = check};

}  // namespace trtcheck::rules
