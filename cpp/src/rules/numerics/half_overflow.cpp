#include <fmt/format.h>

#include "rules/numerics/narrowed.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules {
namespace {

/// A constant that hides entries in front of a Softmax: as minus infinity it does so just as well.
bool is_mask(const Narrowed& narrowed) {
  return narrowed.scan.elements == 1 && narrowed.value < 0 &&
         (narrowed.reader == "Where" || narrowed.reader == "Add" || narrowed.reader == "Min");
}

void tell(RuleContext& context, const Narrowed& narrowed) {
  if (is_mask(narrowed)) {
    context
        .add(narrowed.stored.node, fmt::format("{} becomes -inf in FP16: a row that is masked everywhere gives NaN",
                                               shown(context, narrowed)))
        .severity(Severity::info)
        .certainty(Certainty::possible)
        .fix("mask with -1e4 or -65504");
    return;
  }
  const std::string what =
      narrowed.scan.elements == 1
          ? fmt::format("{} becomes infinite in FP16, whose largest number is 65,504", shown(context, narrowed))
          : fmt::format("{} of {} hold numbers beyond 65,504, the largest of FP16: the largest is {:.5g}",
                        counted(narrowed.scan.too_large, "element"), shown(context, narrowed), narrowed.scan.largest);
  FindingBuilder finding = context.add(narrowed.stored.node, what);
  if (narrowed.stored.value) finding.value(context.name(narrowed.stored.value));
  if (narrowed.by_cast) finding.note("a Cast to FLOAT16 in the file does it, whatever the builder is asked for");
  if (narrowed.scan.elements == 1 && narrowed.reader == "Mul") finding.note("0 times infinity is NaN");
  finding.fix(narrowed.by_cast ? "keep this constant and what reads it in FLOAT"
                               : "keep the layer in FLOAT, or use BF16, which has the range of FLOAT");
}

void check(RuleContext& context) {
  for (const Narrowed& narrowed : narrowed_tensors(context)) {
    if (narrowed.scan.too_large > 0) tell(context, narrowed);
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/accuracy-considerations.html",
    "NVIDIA/Model-Optimizer modelopt/onnx/autocast (clamps initializers to the range of FP16)",
    "https://github.com/NVIDIA/TensorRT/issues/3203",
};
constexpr std::string_view kMessages[] = {
    "weights are affected by this issue: Detected values greater than FP16 Max *"};

}  // namespace

extern constinit const Rule half_overflow{
    .code = "NUM101",
    .name = "half-overflow",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a stored number that FP16 cannot hold",
    .docs = R"(## What it checks
FLOAT weights and constants with `--precision fp16`, those of other files included, and without it small constants that a Cast to FLOAT16 reads. Constants that
stay in FLOAT or mean the same when they are infinite (scales of Q/DQ and Resize, limits of Clip, parameters of BatchNormalization) are left out.

## Why TensorRT cares
It converts weights to the type that a layer runs in. What is larger than 65,504 becomes infinite, and infinity minus infinity or zero times infinity is NaN: an
output of NaN for every input. A mask of -3.4e38 in front of a Softmax works as minus infinity, too, but for rows that are masked everywhere.

## Example
```onnx target=10.3 precision=fp16
agraph (float[N,4] x) => (float[N,4] y)
<float huge = {1e6}> {
  y = Mul(x, huge)
}
```

## Instead
```onnx target=10.3 precision=fp16
agraph (float[N,4] x) => (float[N,4] y)
<float large = {6e4}> {
  y = Mul(x, large)
}
```

## Fix
Scale the numbers, keep the layer in FLOAT, or build with BF16. Masks: `torch.finfo(torch.float16).min` instead of -1e9 or `torch.finfo(torch.float32).min`.

## Evidence
TensorRT counts such weights itself and prints how many are affected. NVIDIA's AutoCast clamps them or leaves the node in FLOAT.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules
