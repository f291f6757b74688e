#include <algorithm>

#include <fmt/format.h>

#include "rules/numerics/reached.hpp"
#include "text/plural.hpp"
#include "text/readable.hpp"

namespace trtcheck::rules::measured_underflow {
namespace {

/// Something is not 0, and all of it becomes 0.
bool vanishes(const MeasuredTensor& tensor) {
  return tensor.max && tensor.nans + tensor.plus_infinite + tensor.minus_infinite == 0 && tensor.magnitude() > 0 &&
         tensor.magnitude() <= kZeroInHalf;
}

void check(RuleContext& context) {
  for (const Reached& reached : reached_tensors(context)) {
    const bool is_handed_on =
        std::ranges::any_of(reached.sources, [](const MeasuredTensor* source) { return vanishes(*source); });
    if (!vanishes(*reached.tensor) || is_handed_on || !runs_in_half(context, reached.value)) continue;
    FindingBuilder finding = context.add(
        reached.node,
        fmt::format("`{}` stayed below {} with these samples: all of it becomes 0 in FP16, whose smallest number is "
                    "6e-8",
                    context.name(reached.value), readable(reached.tensor->magnitude())));
    finding.value(context.name(reached.value)).reason("tensors vanish in FP16 with these samples");
    if (context.shape(reached.value).type == DataType::float32) {
      finding.note("the file has it in FLOAT, precision FP16 lets the builder choose");
    }
    finding.fix("keep this layer in FLOAT, scale what it computes, or use BF16, which has the range of FLOAT");
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/accuracy-considerations.html",
    "measured: ONNX Runtime ran the model on the samples of `trtcheck ranges`",
};

}  // namespace

extern constinit const Rule rule{
    .code = "NUM302",
    .name = "measured-underflow",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a tensor that becomes 0 in FP16 on the user's samples",
    .docs = R"(## What it checks
The same tensors as [measured-overflow](measured-overflow.md), with what they reached on samples (`--ranges`, which `trtcheck ranges` measures): not all of the
tensor is 0, and nothing of it is larger than 3e-8, half of FP16's smallest number.

## Why TensorRT cares
Such a tensor is 0 in FP16, and what is computed from it does not depend on the input any more; as a divisor it gives infinity or NaN.

## Example
```onnx target=10.3 precision=fp16 ranges=y:-2e-9:2.5e-8
agraph (float[N,4] x, float[N,4] z) => (float[N,4] y) {
  y = Mul(x, z)
}
```

## Instead
```onnx target=10.3 precision=fp16 ranges=y:-2e-9:2.5e-4
agraph (float[N,4] x, float[N,4] z) => (float[N,4] y) {
  y = Mul(x, z)
}
```

## Fix
Scale the numbers, keep the layer in FLOAT, or build with BF16.

## Evidence
IEEE 754: what is not larger than 2^-25 rounds to 0. Proven for these samples.
)",
    .evidence = kEvidence,
    .check = check,
    .gates = {kStrongTypingGates},
};

}  // namespace trtcheck::rules::measured_underflow
