#include <fmt/core.h>

#include "rules/profile/network_inputs.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::profile_missing_input {
namespace {

void check(RuleContext& context) {
  if (context.target().profile.empty()) return;
  const ProfileEntries entries(context);
  for (const NetworkInput& input : network_inputs(context)) {
    if (entries.of(input.name) != nullptr || !is_dynamic(input)) continue;
    context.add_model(fmt::format("input `{}` has dynamic axes and no entry in the profile", input.name))
        .value(input.name)
        .note(
            "the builder refuses a profile without it; trtexec puts 1 for every dynamic axis and says so in a warning")
        .fix(fmt::format("add --profile {}=MIN:OPT:MAX", input.name));
  }
}

constexpr std::string_view kEvidence[] = {"NvInfer.h IOptimizationProfile, 8.6 to 11.1"};
constexpr std::string_view kMessages[] = {"Network has dynamic or shape inputs, but no optimization profile"};

}  // namespace

extern constinit const Rule rule{
    .code = "PRF102",
    .name = "profile-missing-input",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a dynamic input that the profile says nothing of",
    .docs = R"(## What it checks
When a profile is given, it names every input with dynamic axes.

## Why TensorRT cares
The builder asks for the minimum, optimum and maximum shape of every dynamic input. `trtexec` fills in 1 for each dynamic
axis, which is hardly the shape to optimize for.

## Example
```onnx profile=x=1x3:2x3:4x3
agraph (float[N,3] x, float[M,3] z) => (float[N,3] y, float[M,3] w) {
  y = Relu (x)
  w = Relu (z)
}
```

## Instead
```onnx profile=x=1x3:2x3:4x3 profile=z=1x3:2x3:4x3
agraph (float[N,3] x, float[M,3] z) => (float[N,3] y, float[M,3] w) {
  y = Relu (x)
  w = Relu (z)
}
```

## Fix
Add the input to the profile.

## Evidence
NvInfer.h, `IOptimizationProfile` (8.0 to 11.1); trtexec.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::profile_missing_input
