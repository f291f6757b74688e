#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "rules/numerics/narrowed.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules::half_overflow {
namespace {

/// A constant that hides entries in front of a Softmax: as minus infinity it does so just as well.
bool is_mask(const Narrowed& narrowed) {
  return narrowed.scan.elements == 1 && narrowed.value < 0 &&
         (narrowed.reader == "Where" || narrowed.reader == "Add" || narrowed.reader == "Min");
}

void tell(RuleContext& context, const Narrowed& narrowed) {
  const std::string_view type = narrowed.is_half() ? "FP16" : "BF16";
  const std::string_view most = narrowed.is_half() ? "65,504" : "3.39e38";
  if (is_mask(narrowed)) {
    context
        .add(narrowed.stored.node, fmt::format("{} becomes -inf in {}: a row that is masked everywhere gives NaN",
                                               shown(context, narrowed), type))
        .severity(Severity::info)
        .certainty(Certainty::possible)
        .fix(narrowed.is_half() ? "mask with -1e4 or -65504" : "mask with -1e4 or -3.38e38");
    return;
  }
  const std::string what =
      narrowed.scan.elements == 1
          ? fmt::format("{} becomes infinite in {}, whose largest number is {}", shown(context, narrowed), type, most)
          : fmt::format("{} of {} hold numbers beyond {}, the largest of {}: the largest is {:.5g}",
                        counted(narrowed.too_large(), "element"), shown(context, narrowed), most, type,
                        narrowed.scan.largest);
  FindingBuilder finding = context.add(narrowed.stored.node, what);
  if (narrowed.stored.value) finding.value(context.name(narrowed.stored.value));
  if (narrowed.by_cast) {
    finding.note(
        fmt::format("a Cast to {} in the file does it, whatever the builder is asked for", to_string(narrowed.to)));
  }
  if (narrowed.scan.elements == 1 && narrowed.reader == "Mul") finding.note("0 times infinity is NaN");
  finding.fix(narrowed.by_cast     ? "keep this constant and what reads it in FLOAT"
              : narrowed.is_half() ? "keep the layer in FLOAT, or use BF16, which has the range of FLOAT"
                                   : "keep the layer in FLOAT");
}

/// What a converter to FLOAT16 made of a number that was too large. -inf in front of a Softmax is a mask, limits may be
/// infinite; factors and divisors are not meant to be.
bool is_meant(std::string_view reader, double number) {
  const bool scales = reader == "Mul" || reader == "Div";
  const bool adds = reader == "Add" || reader == "Sub";
  return !scales && !(adds && number > 0);
}

void tell_infinite(RuleContext& context) {
  constexpr std::int64_t kFew = 64;
  for (const StoredTensor& stored : context.view().stored()) {
    const Tensor& tensor = context.model().tensor(stored.id);
    if (tensor.type != DataType::float16) continue;
    const NodeId reader = reader_of(context, stored).node;
    if (!reader || tensor.element_count().value_or(kFew + 1) > kFew) continue;
    const auto numbers = context.view().tensors.floats(stored.id, kFew);
    if (!numbers) continue;
    const std::string_view op = context.model().node(reader).op_type;
    const auto found =
        std::ranges::find_if(*numbers, [&](double number) { return std::isinf(number) && !is_meant(op, number); });
    if (found == numbers->end()) continue;
    FindingBuilder finding = context.add(
        reader, fmt::format("FLOAT16 constant{} of {} is {}: a number beyond 65,504 that was converted to FLOAT16?",
                            stored.value ? fmt::format(" `{}`", context.name(stored.value)) : "", op,
                            *found > 0 ? "infinite" : "-inf"));
    if (stored.value) finding.value(context.name(stored.value));
    finding.certainty(Certainty::possible).fix("keep this constant and what reads it in FLOAT");
    if (op == "Mul") finding.note("0 times infinity is NaN");
  }
}

void check(RuleContext& context) {
  for (const Narrowed& narrowed : narrowed_tensors(context)) {
    if (narrowed.too_large() > 0) tell(context, narrowed);
  }
  tell_infinite(context);
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/accuracy-considerations.html",
    "NVIDIA/Model-Optimizer modelopt/onnx/autocast (clamps initializers to the range of FP16)",
    "https://github.com/NVIDIA/TensorRT/issues/3203",
};
constexpr std::string_view kMessages[] = {
    "weights are affected by this issue: Detected values greater than FP16 Max *"};

}  // namespace

extern constinit const Rule rule{
    .code = "NUM101",
    .name = "half-overflow",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a stored number that FP16 or BF16 cannot hold",
    .docs = R"(## What it checks
FLOAT weights and constants with `--precision fp16`, those of other files included, and without it small constants that a Cast to FLOAT16 reads. With `bf16` alone, and
after a Cast to BFLOAT16, those of the last step of FLOAT's range: -3.4028e38, which PyTorch's `torch.finfo(torch.float32).min` writes, is infinite there. Constants that
stay in FLOAT or mean the same when they are infinite (scales of Q/DQ and Resize, limits of Clip, parameters of BatchNormalization) are left out.
FLOAT16 constants of at most 64 elements that are infinite and a factor, a divisor or, where positive, a summand: a conversion went beyond the range (*possible*).

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

}  // namespace trtcheck::rules::half_overflow
