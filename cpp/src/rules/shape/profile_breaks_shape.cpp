#include <vector>

#include <fmt/format.h>

#include "rules/profile/profile_points.hpp"
#include "rules/rule_context.hpp"
#include "rules/shape/obligation_words.hpp"

namespace trtcheck::rules {
namespace {

void check_one(RuleContext& context, const Obligation& obligation, const std::vector<ProfilePoint>& points) {
  DimTable& dims = context.dims();
  for (const ProfilePoint& point : points) {
    const auto a = dims.evaluate(obligation.a, point.symbols);
    const auto b = dims.evaluate(obligation.b, point.symbols);
    if (!a || !b || is_met(obligation.need, *a, *b)) continue;
    context
        .add(obligation.node,
             fmt::format("{} needs {}, at the {} sizes of the profile that is {} and {}",
                         context.model().node(obligation.node).op_type, wanted(dims, obligation), point.name, *a, *b))
        .note(std::string(obligation.why), obligation.node)
        .fix("change the profile, or remove the number that the export wrote into the shape");
    return;
  }
}

void check(RuleContext& context) {
  const std::vector<ProfilePoint> points = profile_points(context);
  if (points.empty()) return;
  for (const Obligation& obligation : context.shapes().obligations()) {
    if (obligation.node) check_one(context, obligation, points);
  }
}

constexpr std::string_view kEvidence[] = {
    "https://github.com/NVIDIA/TensorRT/issues/2251",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/work-dynamic-shapes.html",
};
constexpr std::string_view kMessages[] = {"values for profile * violate shape constraints",
                                          "reshape would change volume"};

}  // namespace

extern constinit const Rule profile_breaks_shape{
    .code = "SHP102",
    .name = "profile-breaks-shape",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a shape that does not come out at the sizes of the optimization profile",
    .docs = R"(## What it checks
What holds for some sizes only, for instance that a Reshape with a fixed entry divides the number of elements, at the three points of the profile: smallest, optimal and
largest sizes. Without a profile nothing is said: whoever runs the model knows its sizes.

## Why TensorRT cares
It computes all shapes at the three points when it builds, and refuses the profile: `kOPT values for profile 0 violate shape constraints: reshape would change
volume`. A batch or sequence length that tracing wrote into a shape is the usual reason.

## Example
```onnx profile=x=1x3:2x3:4x3
agraph (float[N,3] x) => (float[M,2] y)
<int64[2] shape = {-1,2}> {
  y = Reshape(x, shape)
}
```

## Instead
```onnx profile=x=2x3:4x3:8x3
agraph (float[N,3] x) => (float[M,3] y)
<int64[2] shape = {-1,3}> {
  y = Reshape(x, shape)
}
```

## Fix
Change the profile, or export again without the number that tracing wrote into the shape.

## Evidence
NVIDIA/TensorRT issue 2251; that the shape program is evaluated at the three points is documented.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check};

}  // namespace trtcheck::rules
