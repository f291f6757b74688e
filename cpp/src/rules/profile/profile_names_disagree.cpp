#include <map>

#include <fmt/core.h>

#include "rules/profile/network_inputs.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::profile_names_disagree {
namespace {

struct Axis {
  std::string_view input;
  std::size_t axis;
  std::int64_t min, opt, max;
};

void check(RuleContext& context) {
  if (context.target().profile.empty() || !context.has(gates::axis_names_bind)) return;
  std::map<std::string_view, Axis> first;
  const ProfileEntries entries(context);
  for (const NetworkInput& input : network_inputs(context)) {
    const ProfileInput* profile = entries.of(input.name);
    if (profile == nullptr) continue;
    for (std::size_t i = 0; i < input.dims.size() && i < profile->min.size(); ++i) {
      if (input.dims[i].kind != DeclaredDim::Kind::param) continue;
      const Axis here{input.name, i, profile->min[i], profile->opt[i], profile->max[i]};
      const auto [it, is_new] = first.try_emplace(input.dims[i].param, here);
      const Axis& there = it->second;
      if (is_new || (there.min == here.min && there.opt == here.opt && there.max == here.max)) continue;
      FindingBuilder finding = context.add_model(
          fmt::format("`{}` is {}:{}:{} at axis {} of `{}` and {}:{}:{} at axis {} of `{}`: axes of one name "
                      "have one size",
                      it->first, there.min, there.opt, there.max, there.axis, there.input, here.min, here.opt, here.max,
                      here.axis, here.input));
      if (there.opt == here.opt) {
        finding.severity(Severity::warning)
            .note("TensorRT compares kOPT only: the engine is built, and fails at run time where the sizes differ");
      }
      finding.value(here.input)
          .fix(fmt::format("give both the same sizes, or export the model with another name than `{}` for one of them",
                           it->first));
    }
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ModelImporter.cpp setDimensionNames, 10.10",
                                          "measured: TensorRT-RTX 1.5.0, 1.6.1, 1.7.1"};
constexpr std::string_view kMessages[] = {"Profile kOPT values are not self-consistent"};

}  // namespace

extern constinit const Rule rule{
    .code = "PRF103",
    .name = "profile-names-disagree",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "two axes of one name with different sizes in the profile",
    .docs = R"(## What it checks
Axes that share a name (`dim_param`) have the same minimum, optimum and maximum in the profile.

## Why TensorRT cares
From 8.5 the names are handed to the network: axes of one name have to be equal at run time. Where kOPT differs the builder refuses the profile
(`Profile kOPT values are not self-consistent. Dimensions with name N must be equal`). Where only kMIN or kMAX differ the engine is built, and uses
sizes that both axes share: a warning.

## Example
```onnx profile=x=1x3:2x3:4x3 profile=z=1x3:3x3:8x3
agraph (float[N,3] x, float[N,3] z) => (float[N,3] y, float[N,3] w) {
  y = Relu (x)
  w = Relu (z)
}
```

## Instead
```onnx profile=x=1x3:2x3:4x3 profile=z=1x3:2x3:4x3
agraph (float[N,3] x, float[N,3] z) => (float[N,3] y, float[N,3] w) {
  y = Relu (x)
  w = Relu (z)
}
```

## Fix
Give them the same sizes; or export with separate names, when they are not the same thing.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, `setDimensionNames` (not in 8.4, in 8.5 to 10.10). The builder's answers were measured with TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1
(of the branches 11.0 to 11.4).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::axis_names_bind},
};

}  // namespace trtcheck::rules::profile_names_disagree
