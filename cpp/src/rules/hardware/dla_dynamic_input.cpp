#include <algorithm>

#include <fmt/format.h>

#include "rules/hardware/dla_layers.hpp"
#include "rules/profile/network_inputs.hpp"
#include "rules/rule_context.hpp"
#include "target/dla.hpp"

namespace trtcheck::rules::dla_dynamic_input {
namespace {

bool is_dynamic(const RuleContext& context, ValueId input) {
  return std::ranges::any_of(context.shape(input).dims, [](Dim dim) { return !dim.is_literal(); });
}

void check(RuleContext& context) {
  const Target& target = context.target();
  if (!may_run_on_dla(target, context.release())) return;
  const ProfileEntries entries(context);
  for (const ValueId input : context.model().graph().inputs) {
    if (context.model().value(input).initializer) continue;
    const std::string_view name = context.name(input);
    const ProfileInput* range = entries.of(name);
    const bool is_listed = range != nullptr;
    if (is_listed ? range->min == range->max : !is_dynamic(context, input)) continue;
    const std::string rule = "DLA runs fixed sizes, min, opt and max of a profile have to be the same";
    FindingBuilder finding =
        context.add_model(is_listed ? fmt::format("the profile gives input `{}` a range of sizes: {}", name, rule)
                                    : fmt::format("input `{}` has dynamic axes: {}", name, rule));
    finding.value(name).reason("a dynamic input for DLA").fix("give it one size: export with it, or in the profile");
    if (!is_listed) finding.severity(Severity::info);
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/dla-layer-restrictions.html"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD406",
    .name = "dla-dynamic-input",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "with --dla: an input whose size is not fixed",
    .docs = R"(## What it checks
For a target with DLA (`--dla`): inputs with a range of sizes in the profile, a warning; inputs with dynamic axes that have none, information.

## Why TensorRT cares
NVIDIA's Deep Learning Accelerator does not run dynamic sizes, of the batch neither: the three sizes of a profile have to be the same. Layers of other sizes run on the GPU,
or the build ends.

## Example
```onnx dla=yes target=10.3 precision=fp16 profile=x=1x8x16x16:2x8x16x16:4x8x16x16
agraph (float[N,8,16,16] x) => (float[N,8,16,16] y) {
  y = Relu(x)
}
```

## Instead
```onnx dla=yes target=10.3 precision=fp16 profile=x=4x8x16x16:4x8x16x16:4x8x16x16
agraph (float[N,8,16,16] x) => (float[N,8,16,16] y) {
  y = Relu(x)
}
```

## Fix
One size in the profile, or in the file.

## Evidence
NVIDIA's guide, DLA Supported Layers and Restrictions.
)",
    .evidence = kEvidence,
    .check = check,
    .gates = {kDlaGates},
};

}  // namespace trtcheck::rules::dla_dynamic_input
