#include <algorithm>

#include <fmt/format.h>

#include "rules/numerics/reached.hpp"
#include "text/plural.hpp"
#include "text/readable.hpp"

namespace trtcheck::rules::measured_overflow {
namespace {

bool is_infinite(const MeasuredTensor& tensor) {
  return tensor.type == DataType::float16 && tensor.plus_infinite + tensor.minus_infinite > 0;
}

bool overflows(const MeasuredTensor& tensor) { return tensor.magnitude() >= kBeyondHalf || is_infinite(tensor); }

/// The number came in by an input: the node only hands it on.
bool is_handed_on(const Reached& reached) {
  return std::ranges::any_of(reached.sources, [&](const MeasuredTensor* source) {
    return is_infinite(*source) || (overflows(*source) && source->magnitude() >= reached.tensor->magnitude());
  });
}

bool only_below(const MeasuredTensor& tensor) {
  return tensor.max.value_or(0) < kBeyondHalf && tensor.plus_infinite == 0;
}

std::string what_it_reached(const MeasuredTensor& tensor) {
  if (tensor.magnitude() < kBeyondHalf) {
    return fmt::format("became infinite with these samples ({} of {}): it overflowed FP16",
                       readable(static_cast<double>(tensor.plus_infinite + tensor.minus_infinite)),
                       counted(readable(static_cast<double>(tensor.elements)), "element"));
  }
  const double extreme = tensor.max.value_or(0) >= tensor.magnitude() ? *tensor.max : tensor.min.value_or(0);
  return fmt::format("reached {} with these samples: overflows FP16, whose largest number is 65,504",
                     readable(extreme));
}

void tell_mask(RuleContext& context, const Reached& reached) {
  if (is_infinite(*reached.tensor)) return;  // it works as it is
  context
      .add(reached.node, fmt::format("`{}` reached {} with these samples and becomes -inf in FP16: as a mask in front "
                                     "of a Softmax it works, but a row that is masked everywhere gives NaN",
                                     context.name(reached.value), readable(*reached.tensor->min)))
      .value(context.name(reached.value))
      .severity(Severity::info)
      .certainty(Certainty::possible)
      .reason("masks become -inf in FP16")
      .fix("mask with -1e4 or -65504");
}

void check(RuleContext& context) {
  for (const Reached& reached : reached_tensors(context)) {
    if (!overflows(*reached.tensor) || is_handed_on(reached) || !runs_in_half(context, reached.value)) continue;
    if (only_below(*reached.tensor) && only_masks(context, reached.value)) {
      tell_mask(context, reached);
      continue;
    }
    FindingBuilder finding = context.add(
        reached.node, fmt::format("`{}` {}", context.name(reached.value), what_it_reached(*reached.tensor)));
    finding.value(context.name(reached.value)).reason("tensors overflow FP16 with these samples");
    if (context.shape(reached.value).type == DataType::float32) {
      finding.note("the file has it in FLOAT, precision FP16 lets the builder choose");
    }
    finding.fix("keep this layer in FLOAT, or use BF16, which has the range of FLOAT");
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/accuracy-considerations.html",
    "measured: ONNX Runtime ran the model on the samples of `trtcheck ranges`",
    "NVIDIA/Model-Optimizer modelopt/onnx/autocast (measures tensors with ONNX Runtime, keeps nodes beyond the range "
    "of FP16 in FLOAT)",
};

}  // namespace

extern constinit const Rule rule{
    .code = "NUM301",
    .name = "measured-overflow",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a tensor that went beyond FP16 on the user's samples",
    .docs = R"(## What it checks
Tensors of the main graph that are FLOAT16, or FLOAT with `--precision fp16` before 11.0, with what they reached on samples (`--ranges`, which
`trtcheck ranges` measures). A finding stands where a number arises: Reshape, Relu and others that hand it on are left out. A tensor that the file has in
FLOAT16 and that became infinite is reported, too. BF16 has the range of FLOAT: there is nothing to report.

## Why TensorRT cares
What is larger than 65,504 becomes infinite in FP16, and infinity minus infinity or zero times infinity is NaN. A mask that goes into a Softmax works as minus
infinity, too, but for rows that are masked everywhere: information.

## Example
```onnx target=10.3 precision=fp16 ranges=y:-12:81204
agraph (float[N,4] x, float[N,4] z) => (float[N,4] y) {
  y = Mul(x, z)
}
```

## Instead
```onnx target=10.3 precision=fp16 ranges=y:-12:60123
agraph (float[N,4] x, float[N,4] z) => (float[N,4] y) {
  y = Mul(x, z)
}
```

## Fix
Keep the layer in FLOAT (Casts in the file for a strongly typed network, layer precisions before 11.0), scale what it reads, or build with BF16.

## Evidence
The number is proven for these samples, others may go further or not so far. Whether the builder runs a layer in FP16 is its choice where the file says FLOAT.
)",
    .evidence = kEvidence,
    .check = check,
    .gates = {kStrongTypingGates},
};

}  // namespace trtcheck::rules::measured_overflow
