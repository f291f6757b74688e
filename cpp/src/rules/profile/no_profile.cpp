#include <string>
#include <vector>

#include <fmt/core.h>

#include "rules/profile/network_inputs.hpp"
#include "rules/rule_context.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules::no_profile {
namespace {

void check(RuleContext& context) {
  if (!context.target().require_profile || !context.target().profile.empty()) return;
  std::vector<std::string_view> names;
  for (const NetworkInput& input : network_inputs(context)) {
    if (is_dynamic(input)) names.push_back(input.name);
  }
  if (names.empty()) return;
  const std::string others = names.size() == 1 ? "" : fmt::format(" and {}", counted(names.size() - 1, "other input"));
  context
      .add_model(fmt::format("`{}`{} {} dynamic axes, and there is no optimization profile", names.front(), others,
                             names.size() == 1 ? "has" : "have"))
      .value(names.front())
      .note("the builder requires one; trtexec uses 1 for every dynamic axis")
      .fix("`trtcheck profile` proposes one; check with it: --profile NAME=MIN:OPT:MAX");
}

constexpr std::string_view kEvidence[] = {
    "NvInfer.h IBuilderConfig::addOptimizationProfile, 8.0 to 11.1",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1",
};
constexpr std::string_view kMessages[] = {
    "Network has dynamic or shape inputs, but no optimization profile has been defined"};

}  // namespace

extern constinit const Rule rule{
    .code = "PRF105",
    .name = "no-profile",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "dynamic inputs, and no optimization profile",
    .docs = R"(## What it checks
With `--require-profile` (`require-profile = true` in the settings): inputs with dynamic axes, of a model that is checked without any profile. One
finding for all of them. Without the option nobody knows where the sizes will come from: `trtexec` makes them up, and scripts bring their own.

## Why TensorRT cares
The builder asks for the smallest, the best and the largest shape of every dynamic input, and stops without them. `trtexec` makes a profile of
its own, of 1 for every dynamic axis, which is hardly the shape to optimize for. A check with the profile also sees more: what fits at some sizes
only is judged at those that the engine will get.

## Example
```onnx require_profile=yes
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Instead
```onnx require_profile=yes profile=x=1x3:2x3:4x3
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Fix
`trtcheck profile model.onnx` proposes one and prints the commands that use it.

## Evidence
NvInfer.h, `addOptimizationProfile`; TensorRT-RTX stops with the message below.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::no_profile
