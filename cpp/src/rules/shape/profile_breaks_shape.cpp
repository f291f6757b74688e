#include <optional>
#include <vector>

#include <fmt/core.h>

#include "rules/profile/profile_points.hpp"
#include "rules/rule_context.hpp"
#include "rules/shape/between_points.hpp"
#include "rules/shape/obligation_words.hpp"
#include "view/profile_sizes.hpp"

namespace trtcheck::rules::profile_breaks_shape {
namespace {

/// The sizes at one point of the profile that do not fit.
struct Misfit {
  std::string_view point;
  std::int64_t a = 0, b = 0;
};

std::optional<Misfit> misfit_at(DimTable& dims, const Obligation& obligation, const ProfilePoint& point) {
  const auto a = evaluate_at(dims, obligation.a, point.symbols);
  const auto b = evaluate_at(dims, obligation.b, point.symbols);
  if (!a || !b || is_met_by(obligation, *a, *b)) return std::nullopt;
  return Misfit{point.name, *a, *b};
}

bool is_plain_symbol(const DimTable& dims, Dim dim) {
  const auto symbols = dims.symbols(dim);
  return symbols.size() == 1 && dims.text(dim) == symbols[0];
}

/// TensorRT knows from the node that the size can only be one number of the profile's range. It builds for that
/// number, and does not look at kOPT again. Sizes of a Reshape are computed at kOPT instead.
std::optional<std::int64_t> pinned_size(const DimTable& dims, const Obligation& obligation, std::string_view op_type) {
  using Need = Obligation::Need;
  const bool is_swapped = obligation.a.is_literal();
  const Dim size = is_swapped ? obligation.b : obligation.a;
  const Dim number = is_swapped ? obligation.a : obligation.b;
  if (op_type == "Reshape" || op_type == "Flatten" || !number.is_literal() || !is_plain_symbol(dims, size)) {
    return std::nullopt;
  }
  const Interval range = dims.bounds(size);
  const auto allows = [&](std::int64_t value) { return range.low <= value && value <= range.high; };
  if (obligation.need == Need::equal && allows(number.value())) return number.value();
  if (obligation.need != Need::one_or_equal || allows(1) == allows(number.value())) return std::nullopt;
  return allows(1) ? 1 : number.value();
}

/// Split drops what is left of the axis, and makes the last part smaller: see shape-conflict.
bool split_is_taken(const Obligation& obligation, const Misfit& at) {
  if (obligation.need == Obligation::Need::equal) return at.a < at.b;
  if (obligation.need != Obligation::Need::divides || at.b < 1) return false;
  return (at.a + at.b - 1) / at.b * (at.b - 1) <= at.a;
}

constexpr std::string_view kBuiltAndFails =
    "TensorRT tests kOPT only: the engine is built, and fails with these sizes at run time";

/// Why the engine is built although the sizes do not fit; "" when it is refused.
std::string why_it_builds(const RuleContext& context, const Obligation& obligation, const Misfit* at_opt) {
  if (at_opt == nullptr) return std::string(kBuiltAndFails);
  const std::string_view op_type = context.model().node(obligation.node).op_type;
  if (op_type == "Split") {
    return split_is_taken(obligation, *at_opt)
               ? "ONNX forbids it, TensorRT drops what is left of the axis or makes the last part smaller"
               : "";
  }
  if (op_type.ends_with("Pool") && obligation.need == Obligation::Need::at_least && at_opt->a == 0) {
    return "the window is larger than the padded input: TensorRT makes an empty result of it";
  }
  if (op_type == "Expand") return at_opt->a > at_opt->b ? "ONNX forbids it, in TensorRT the axis keeps its size" : "";
  if (obligation.need == Obligation::Need::one_or_equal && at_opt->b == 1) {
    return "ONNX forbids it, TensorRT repeats the data along the axis";
  }
  if (const auto size = pinned_size(context.dims(), obligation, op_type)) {
    const Dim symbol = obligation.a.is_literal() ? obligation.b : obligation.a;
    return fmt::format("the engine is built only for `{}` = {}, and fails with other sizes at run time",
                       context.dims().text(symbol), *size);
  }
  return {};
}

void add_constant(const RuleContext& context, FindingBuilder& finding, NodeId node) {
  if (std::string constant = constant_at(context, node); !constant.empty()) finding.note(std::move(constant));
}

/// True when it was told.
bool check_points(RuleContext& context, const Obligation& obligation, const std::vector<ProfilePoint>& points) {
  DimTable& dims = context.dims();
  std::optional<Misfit> at_opt;
  std::optional<Misfit> first;
  for (const ProfilePoint& point : points) {
    const auto misfit = misfit_at(dims, obligation, point);
    if (!first) first = misfit;
    if (point.kind == ProfilePoint::Kind::opt) at_opt = misfit;
  }
  if (!first) return false;
  const Misfit& told = at_opt ? *at_opt : *first;
  FindingBuilder finding =
      context.add(obligation.node, fmt::format("{} needs {}, at the {} sizes of the profile that is {} and {}",
                                               context.model().node(obligation.node).op_type, wanted(dims, obligation),
                                               told.point, told.a, told.b));
  finding.note(std::string(obligation.why), obligation.node);
  add_constant(context, finding, obligation.node);
  finding.fix("change the profile, or remove the number that the export wrote into the shape");
  std::string why = why_it_builds(context, obligation, at_opt ? &*at_opt : nullptr);
  if (!why.empty()) finding.severity(Severity::warning).note(std::move(why));
  return true;
}

/// What TensorRT does where it computes something instead of failing; "" = it fails.
std::string taken_at(const RuleContext& context, const Obligation& obligation, const BadSizes& bad) {
  const std::string_view op_type = context.model().node(obligation.node).op_type;
  const bool takes =
      op_type == "Split" || op_type == "Expand" || (obligation.need == Obligation::Need::one_or_equal && bad.b == 1);
  const Misfit there{{}, bad.a, bad.b};
  return takes ? why_it_builds(context, obligation, &there) : "";
}

void check_between(RuleContext& context, const Obligation& obligation, SizeSearch& search) {
  const std::optional<BadSizes> bad = search.find(obligation);
  if (!bad) return;
  std::string sizes;
  for (const DimTable::Binding& size : bad->sizes) {
    sizes += fmt::format("{}`{}` = {}", sizes.empty() ? "" : ", ", size.name, size.value);
  }
  const std::string taken = taken_at(context, obligation, *bad);
  FindingBuilder finding =
      context.add(obligation.node, fmt::format("{} needs {}, at {} between the points of the profile that is {} and {}",
                                               context.model().node(obligation.node).op_type,
                                               wanted(context.dims(), obligation), sizes, bad->a, bad->b));
  finding.severity(Severity::warning).note(std::string(obligation.why), obligation.node);
  add_constant(context, finding, obligation.node);
  finding
      .note(bad->is_smallest ? fmt::format("{} is the smallest size of the profile that does not fit", sizes)
                             : "not all sizes of the profile were tried, others may fail, too")
      .note(taken.empty() ? std::string(kBuiltAndFails) : taken)
      .fix("run the engine with sizes that fit only, or remove the number that the export wrote into the shape");
}

void check(RuleContext& context) {
  const std::vector<ProfilePoint> points = profile_points(context);
  if (points.empty()) return;
  SizeSearch search(context, points);
  for (const Obligation& obligation : context.shapes().obligations()) {
    if (obligation.node && !check_points(context, obligation, points)) check_between(context, obligation, search);
  }
}

constexpr std::string_view kEvidence[] = {
    "https://github.com/NVIDIA/TensorRT/issues/2251",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/work-dynamic-shapes.html",
    "measured: TensorRT-RTX 1.5.0, 1.6.1, 1.7.1",
};
constexpr std::string_view kMessages[] = {"values for profile * violate shape constraints",
                                          "reshape would change volume"};

}  // namespace

extern constinit const Rule rule{
    .code = "SHP102",
    .name = "profile-breaks-shape",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a shape that does not come out at the sizes of the optimization profile",
    .docs = R"(## What it checks
What holds for some sizes only, for instance that a Reshape with a fixed entry divides the number of elements, at the three points of the profile: smallest, optimal and
largest sizes; where it holds there, also at the sizes between them, for as long as the search is small. Without a profile nothing is said: whoever runs the model knows its sizes.

## Why TensorRT cares
It computes the shapes at kOPT when it builds, and refuses the profile: `kOPT values for profile 0 violate shape constraints: reshape would change
volume`. A batch or sequence length that tracing wrote into a shape is the usual reason.

Sizes that do not fit at kMIN or kMAX only are a warning: the engine is built, and fails when it is given them. So is a kOPT that does not fit where an
operator other than Reshape allows a single number of the range (`x + w` with a `w` of size 4 and a range of 2 to 9): the engine is built for that number
alone. A range without any number that fits is refused; that is reported by shape-conflict.

Between the points, the smallest size that fails is reported: the odd heights in a range from 32 to 512, when each of the three is even. Every size up to
2,048 above the smallest is tried, then some. Where several sizes have to fit together only divisibility is looked at (two sequence lengths that have to be
equal the caller knows of), and what was not tried is said. Conditions of branches and loop bodies that may not run are passed over.

## Example
```onnx profile=x=1x3:3x3:4x3
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
NVIDIA/TensorRT issue 2251 for kOPT. What is built and what is refused was measured with TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 (of the branches 11.0 to 11.4), on
24 operators with 17 profiles each.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::profile_breaks_shape
