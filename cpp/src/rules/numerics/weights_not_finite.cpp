#include <fmt/format.h>

#include "layers/work.hpp"
#include "rules/numerics/narrowed.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules {
namespace {

void check(RuleContext& context) {
  for (const Narrowed& narrowed : narrowed_tensors(context)) {
    if (narrowed.scan.not_finite == 0 || !layers_of::multiplies(context.model().node(narrowed.stored.node))) continue;
    context
        .add(narrowed.stored.node, fmt::format("{} of {} are infinite or NaN",
                                               counted(narrowed.scan.not_finite, "element"), shown(context, narrowed)))
        .fix("export the model again from a checkpoint whose weights are numbers");
  }
}

constexpr std::string_view kEvidence[] = {"IEEE 754: what is multiplied by or added to NaN is NaN"};

}  // namespace

extern constinit const Rule weights_not_finite{
    .code = "NUM103",
    .name = "weights-not-finite",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "weights that are infinite or NaN",
    .docs = R"(## What it checks
The weights of Conv, ConvTranspose, Gemm and MatMul, with `--precision fp16`, when all weights are looked at anyway.

## Why TensorRT cares
It does not: such a model builds, and its outputs are NaN. Training that diverged, or a conversion that went beyond the range of a type, leaves such weights.

## Example
```onnx target=10.3 precision=fp16
agraph (float[N,2] x) => (float[N,2] y) {
  w = Constant<value = float[2,2] {inf, 0, 0, 1}>()
  y = MatMul(x, w)
}
```

## Instead
```onnx target=10.3 precision=fp16
agraph (float[N,2] x) => (float[N,2] y) {
  w = Constant<value = float[2,2] {1, 0, 0, 1}>()
  y = MatMul(x, w)
}
```

## Fix
Look for the first layer with such weights in the checkpoint.

## Evidence
IEEE 754.
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules
