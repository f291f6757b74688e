#include <fmt/format.h>

#include "rules/numerics/narrowed.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules::half_underflow {
namespace {

/// Trained weights always hold some tiny numbers; a tensor that loses this part of them has another scale than FP16.
constexpr std::uint64_t kOneIn = 10;
/// What is subnormal keeps some of its digits, so that it takes more to matter.
constexpr std::uint64_t kSubnormalOneIn = 2;

void tell_constant(RuleContext& context, const Narrowed& narrowed) {
  const bool guards = narrowed.reader == "Add" || narrowed.reader == "Max" || narrowed.reader == "Sub";
  FindingBuilder finding =
      context.add(narrowed.stored.node,
                  fmt::format("{} becomes 0 in FP16, whose smallest number is 6e-8", shown(context, narrowed)));
  if (narrowed.stored.value) finding.value(context.name(narrowed.stored.value));
  if (!guards) finding.severity(Severity::info).certainty(Certainty::possible);
  if (guards)
    finding.note(
        "such a constant keeps a divisor or the argument of a logarithm away from 0: NaN or infinity without it");
  finding.fix("use 1e-6 or more, or keep this part in FLOAT");
}

void tell_weights(RuleContext& context, const Narrowed& narrowed) {
  context
      .add(narrowed.stored.node, fmt::format("{} of {} become 0 in FP16", counted(narrowed.scan.to_zero, "element"),
                                             shown(context, narrowed)))
      .severity(Severity::info)
      .certainty(Certainty::possible)
      .fix("scale the weights, keep the layer in FLOAT, or use BF16, which has the range of FLOAT");
}

void tell_subnormal(RuleContext& context, const Narrowed& narrowed) {
  context
      .add(narrowed.stored.node,
           fmt::format("{} of {} lie below 6.1e-5, the smallest number that FP16 has with all its digits{}",
                       counted(narrowed.scan.subnormal, "element"), shown(context, narrowed),
                       narrowed.scan.to_zero > 0 ? fmt::format(", {} become 0", narrowed.scan.to_zero) : ""))
      .severity(Severity::info)
      .certainty(Certainty::possible)
      .fix("scale the weights, keep the layer in FLOAT, or use BF16, which has the range of FLOAT");
}

void check(RuleContext& context) {
  for (const Narrowed& narrowed : narrowed_tensors(context)) {
    const HalfScan& scan = narrowed.scan;
    if (!narrowed.is_half()) continue;
    if (scan.elements == 1) {
      if (scan.to_zero == 1) tell_constant(context, narrowed);
    } else if (scan.to_zero > 0 && scan.to_zero * kOneIn >= scan.elements) {
      tell_weights(context, narrowed);
    } else if (scan.subnormal > 0 && (scan.subnormal + scan.to_zero) * kSubnormalOneIn >= scan.elements) {
      tell_subnormal(context, narrowed);
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/accuracy-considerations.html",
    "https://github.com/NVIDIA/TensorRT/issues/3203",
};
constexpr std::string_view kMessages[] = {
    "weights are affected by this issue: Detected subnormal FP16 values",
    "weights are affected by this issue: Detected values less than smallest positive FP16 subnormal value *"};

}  // namespace

extern constinit const Rule rule{
    .code = "NUM102",
    .name = "half-underflow",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a stored number that becomes 0 in FP16, weights that lose digits in it",
    .docs = R"(## What it checks
The same tensors as [half-overflow](half-overflow.md): single constants below 3e-8 that are not 0, weights of which a tenth or more become 0, and
weights of which half or more become 0 or lie below 6.1e-5, where FP16 has ever fewer digits.

## Why TensorRT cares
An epsilon of 1e-12 that is added to a divisor is there for the case that the divisor is 0; as 0 it does nothing, and the result is NaN or infinite. Weights
that vanish, or lose digits, make the layer less exact: information.

## Example
```onnx target=10.3 precision=fp16
agraph (float[N,4] x) => (float[N,4] y)
<float epsilon = {1e-12}> {
  s = Add(x, epsilon)
  y = Reciprocal(s)
}
```

## Instead
```onnx target=10.3 precision=fp16
agraph (float[N,4] x) => (float[N,4] y)
<float epsilon = {1e-6}> {
  s = Add(x, epsilon)
  y = Reciprocal(s)
}
```

## Fix
A larger epsilon, or this part of the network in FLOAT.

## Evidence
TensorRT counts such weights itself and prints how many are affected.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::half_underflow
