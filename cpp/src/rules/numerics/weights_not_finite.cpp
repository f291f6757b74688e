#include <set>

#include <fmt/format.h>

#include "layers/work.hpp"
#include "rules/numerics/narrowed.hpp"
#include "text/plural.hpp"
#include "view/number_scan.hpp"

namespace trtcheck::rules::weights_not_finite {
namespace {

constexpr std::string_view kFix = "export the model again from a checkpoint whose weights are numbers";

/// Those that FP16 concerns.
void tell_narrowed(RuleContext& context, std::set<TensorId>& told) {
  for (const Narrowed& narrowed : narrowed_tensors(context)) {
    if (narrowed.scan.not_finite == 0 || !layers_of::multiplies(context.model().node(narrowed.stored.node))) continue;
    context
        .add(narrowed.stored.node, fmt::format("{} of {} are infinite or NaN",
                                               counted(narrowed.scan.not_finite, "element"), shown(context, narrowed)))
        .fix(std::string(kFix));
    told.insert(narrowed.stored.id);
  }
}

/// FLOAT is looked at with FP16, too, which is remembered: a second look only where something was found.
std::optional<NumberScan> scan_of(const RuleContext& context, TensorId id) {
  const Tensor& tensor = context.model().tensor(id);
  if (tensor.type == DataType::float32) {
    const auto& known = context.view().tensors.in_half(id);
    if (!known || known->not_finite == 0) return std::nullopt;
  }
  return scan_numbers(context.model(), tensor);
}

void tell_all(RuleContext& context, const std::set<TensorId>& told) {
  for (const StoredTensor& stored : context.view().stored()) {
    const NodeId reader = reader_of(context, stored).node;
    if (!reader || told.contains(stored.id)) continue;
    const auto scan = scan_of(context, stored.id);
    if (!scan) continue;
    // An infinite number may be meant, as a mask or a limit.
    const bool multiplies = layers_of::multiplies(context.model().node(reader));
    const std::uint64_t count = scan->nans + (multiplies ? scan->infinite : 0);
    if (count == 0) continue;
    const std::string name = stored.value ? fmt::format(" `{}`", context.name(stored.value)) : "";
    FindingBuilder finding = context.add(reader, fmt::format("{} of {}{} are {}", counted(count, "element"),
                                                             scan->elements == 1 ? "constant" : "weights", name,
                                                             multiplies ? "infinite or NaN" : "NaN"));
    if (stored.value) finding.value(context.name(stored.value));
    finding.fix(std::string(kFix));
  }
}

void check(RuleContext& context) {
  std::set<TensorId> told;
  tell_narrowed(context, told);
  if (context.view().read_weights) tell_all(context, told);
}

constexpr std::string_view kEvidence[] = {"IEEE 754: what is multiplied by or added to NaN is NaN"};

}  // namespace

extern constinit const Rule rule{
    .code = "NUM103",
    .name = "weights-not-finite",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "weights that are infinite or NaN",
    .docs = R"(## What it checks
The weights of Conv, ConvTranspose, Gemm and MatMul, with `--precision fp16`, when FLOAT weights are looked at anyway. With `--read-weights` those in FLOAT16,
BFLOAT16 and DOUBLE too, whatever the precision, and NaN in every other constant; an infinite number may be meant there, as a mask or a limit.

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

}  // namespace trtcheck::rules::weights_not_finite
