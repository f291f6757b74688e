#include <fmt/core.h>

#include "rules/profile/shape_inputs.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::profile_without_values {
namespace {

void check(RuleContext& context) {
  if (context.target().profile.empty()) return;
  const Model& model = context.model();
  for (const auto& [input, taker] : shape_inputs(model, context.shapes())) {
    const std::string_view name = context.name(input);
    context
        .add_model(fmt::format("what input `{}` holds is a shape: the profile of the build needs its values, and none "
                               "can be given here",
                               name))
        .value(name)
        .note(fmt::format("{} `{}` reads it as sizes", model.node(taker).op_type, context.label(taker)), taker)
        .note("shapes after it were not judged")
        .fix(fmt::format("give the smallest, best and largest values to the builder "
                         "(`IOptimizationProfile::setShapeValues`, `trtexec --minShapes={}:VALUExVALUE`)",
                         name));
  }
}

constexpr std::string_view kEvidence[] = {
    "NvInfer.h IOptimizationProfile::setShapeValues, 8.0 to 11.1",
    "TensorRT samples/common/sampleOptions.cpp: shapes of shape tensors are values"};
constexpr std::string_view kMessages[] = {"Network has dynamic or shape inputs, but no optimization profile"};

}  // namespace

extern constinit const Rule rule{
    .code = "PRF104",
    .name = "profile-without-values",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an input whose values are a shape, which a profile of dims does not bound",
    .docs = R"(## What it checks
Integer inputs of rank 0 or 1 that some Reshape, Expand, Tile, Resize or ConstantOfShape reads as sizes, also by way of Concat, Gather, Slice and
arithmetic, when a profile is given.

## Why TensorRT cares
Such an input is a *shape tensor*: the builder asks for its smallest, best and largest values, beside the dims of the other inputs. `--profile` holds dims
only, so what depends on the input was not judged for this profile. To `trtexec`, what follows the name of a shape tensor are its values.

## Example
```onnx profile=x=1x4:2x4:4x4
agraph (float[N,4] x, int64[2] sizes) => (float[a,b] y) {
  y = Reshape (x, sizes)
}
```

## Instead
```onnx profile=x=1x4:2x4:4x4
agraph (float[N,4] x) => (float[M,2] y)
<int64[2] sizes = {-1,2}> {
  y = Reshape (x, sizes)
}
```

## Fix
Give the values when you build, or export the model with the sizes computed from the other inputs.

## Evidence
NvInfer.h, `IOptimizationProfile::setShapeValues` (8.0 to 11.1); trtexec, `sampleOptions.cpp`.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::profile_without_values
