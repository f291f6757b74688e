#include <fmt/core.h>

#include "rules/profile/network_inputs.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::profile_static_dim {
namespace {

void check(RuleContext& context) {
  if (context.target().profile.empty()) return;
  const ProfileEntries entries(context);
  for (const NetworkInput& input : network_inputs(context)) {
    const ProfileInput* profile = entries.of(input.name);
    if (profile == nullptr) continue;
    for (std::size_t axis = 0; axis < input.dims.size() && axis < profile->min.size(); ++axis) {
      const DeclaredDim& dim = input.dims[axis];
      if (dim.kind != DeclaredDim::Kind::value || dim.value < 0) continue;
      if (profile->min[axis] == dim.value && profile->max[axis] == dim.value) continue;
      context
          .add_model(fmt::format("axis {} of input `{}` is fixed at {}, the profile says {}", axis, input.name,
                                 dim.value,
                                 profile->min[axis] == profile->max[axis]
                                     ? std::to_string(profile->min[axis])
                                     : fmt::format("{} to {}", profile->min[axis], profile->max[axis])))
          .value(input.name)
          .fix(fmt::format("write {} in the profile, or export the model with axis {} of `{}` dynamic", dim.value, axis,
                           input.name));
    }
  }
}

constexpr std::string_view kEvidence[] = {"NvInfer.h IOptimizationProfile::setDimensions, 8.6 to 11.1"};

}  // namespace

extern constinit const Rule rule{
    .code = "PRF101",
    .name = "profile-static-dim",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a profile that gives a fixed axis another size",
    .docs = R"(## What it checks
Every axis that the model states with a number has that number in all three shapes of the profile.

## Why TensorRT cares
The builder refuses a profile whose dims disagree with a fixed dim of the network input.

## Example
```onnx profile=x=1x3x224x224:4x3x256x256:8x3x512x512
agraph (float[N,3,224,224] x) => (float[N,3,224,224] y) {
  y = Relu (x)
}
```

## Instead
```onnx profile=x=1x3x224x224:4x3x224x224:8x3x224x224
agraph (float[N,3,224,224] x) => (float[N,3,224,224] y) {
  y = Relu (x)
}
```

## Fix
Correct the profile, or make the axis dynamic when exporting.

## Evidence
NvInfer.h, `IOptimizationProfile::setDimensions` (8.0 to 11.1).
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules::profile_static_dim
