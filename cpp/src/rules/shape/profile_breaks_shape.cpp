#include <array>
#include <vector>

#include <fmt/format.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

using Bindings = std::vector<DimTable::Binding>;

struct Point {
  std::string_view name;  ///< as TensorRT's messages have it
  std::vector<std::int64_t> ProfileInput::*dims;
};
constexpr std::array kPoints{Point{"kMIN", &ProfileInput::min}, Point{"kOPT", &ProfileInput::opt},
                             Point{"kMAX", &ProfileInput::max}};

/// Values of the plain symbols of the graph inputs at one point of the profile.
Bindings bindings_at(const RuleContext& context, const Point& point) {
  Bindings bindings;
  DimTable& dims = context.dims();
  for (const ProfileInput& profile : context.target().profile) {
    const std::vector<std::int64_t>& sizes = profile.*point.dims;
    for (ValueId input : context.model().graph().inputs) {
      const ValueShape& shape = context.shape(input);
      if (context.name(input) != profile.name || shape.rank() != sizes.size()) continue;
      for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        const auto symbols = dims.symbols(shape.dims[axis]);
        if (symbols.size() == 1 && dims.text(shape.dims[axis]) == symbols[0])
          bindings.push_back({symbols[0], sizes[axis]});
      }
    }
  }
  return bindings;
}

bool holds(Obligation::Need need, std::int64_t a, std::int64_t b) {
  switch (need) {
    case Obligation::Need::equal:
      return a == b;
    case Obligation::Need::divides:
      return b != 0 && a % b == 0;
    case Obligation::Need::one_or_equal:
      return a == 1 || a == b;
    case Obligation::Need::at_least:
      return a >= b;
    case Obligation::Need::in_range:
      return 0 <= a && a < b;
  }
  return true;
}

std::string wanted(const DimTable& dims, const Obligation& obligation) {
  const std::string a = dims.text(obligation.a);
  const std::string b = dims.text(obligation.b);
  switch (obligation.need) {
    case Obligation::Need::equal:
      return fmt::format("`{}` = `{}`", a, b);
    case Obligation::Need::divides:
      return fmt::format("`{}` to divide `{}`", b, a);
    case Obligation::Need::one_or_equal:
      return fmt::format("`{}` to be 1 or `{}`", a, b);
    case Obligation::Need::at_least:
      return fmt::format("`{}` >= `{}`", a, b);
    case Obligation::Need::in_range:
      return fmt::format("`{}` in 0 .. `{}` - 1", a, b);
  }
  return {};
}

void check_one(RuleContext& context, const Obligation& obligation, const std::array<Bindings, 3>& bindings) {
  DimTable& dims = context.dims();
  for (std::size_t i = 0; i < kPoints.size(); ++i) {
    const auto a = dims.evaluate(obligation.a, bindings[i]);
    const auto b = dims.evaluate(obligation.b, bindings[i]);
    if (!a || !b || holds(obligation.need, *a, *b)) continue;
    context
        .add(obligation.node, fmt::format("{} needs {}, at the {} sizes of the profile that is {} and {}",
                                          context.model().node(obligation.node).op_type, wanted(dims, obligation),
                                          kPoints[i].name, *a, *b))
        .note(std::string(obligation.why), obligation.node)
        .fix("change the profile, or remove the number that the export wrote into the shape");
    return;
  }
}

void check(RuleContext& context) {
  if (context.target().profile.empty()) return;
  std::array<Bindings, 3> bindings;
  for (std::size_t i = 0; i < kPoints.size(); ++i) bindings[i] = bindings_at(context, kPoints[i]);
  for (const Obligation& obligation : context.shapes().obligations()) {
    if (obligation.node) check_one(context, obligation, bindings);
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
