#include <optional>

#include <fmt/core.h>

#include "rules/profile/profile_points.hpp"
#include "rules/rule_context.hpp"
#include "view/dispatch.hpp"
#include "view/profile_sizes.hpp"

namespace trtcheck::rules::topk_too_large {
namespace {

// NVIDIA/TensorRT NvInfer.h, ITopKLayer::setK: "Currently only values up to 3840 are supported", 8.0 to 11.1.
constexpr std::int64_t kLargestK = 3840;

/// K of the node, as far as it is known: input 1, an attribute up to opset 9.
std::optional<Dim> k_of(const RuleContext& context, const Node& node) {
  if (!node.input(1)) {
    const std::int64_t k = int_attribute(node, "k", 0);
    return k > 0 ? std::optional(context.dims().literal(k)) : std::nullopt;
  }
  const ValueShape& shape = context.shape(node.input(1));
  if (!shape.is_known || shape.known.size() != 1) return std::nullopt;
  return shape.known[0];
}

FindingBuilder add(RuleContext& context, Dim k, std::string_view at) {
  const std::string text = context.dims().text(k);
  FindingBuilder finding =
      context.add(fmt::format("K of TopK `{}` is {}{}, TensorRT accepts at most {}", context.label(context.node_id()),
                              k.is_literal() ? text : "`" + text + "`", at, kLargestK));
  if (context.node().input(1)) finding.value(context.name(context.node().input(1)));
  finding.fix(fmt::format("ask for {} candidates or fewer; or select the best of each part first, then among those",
                          kLargestK));
  return finding;
}

void check_points(RuleContext& context, Dim k) {
  for (const ProfilePoint& point : profile_points(context)) {
    const auto value = evaluate_at(context.dims(), k, point.symbols);
    if (!value || *value <= kLargestK) continue;
    FindingBuilder finding = add(context, k, fmt::format(", {} at the {} sizes of the profile", *value, point.name));
    // Measured: refused at kOPT; at kMAX alone the engine builds and fails when it runs at such a size.
    if (point.kind == ProfilePoint::Kind::max) {
      finding.severity(Severity::warning).note("the engine builds, and fails when it runs at such a size");
    }
    return;
  }
}

void check(RuleContext& context) {
  if (context.view().handler(context.node_id()) != Handler::importer) return;
  const auto k = k_of(context, context.node());
  if (!k) return;
  if (context.dims().bounds(*k).low > kLargestK) {
    add(context, *k, "");
    return;
  }
  check_points(context, *k);
}

constexpr std::string_view kOps[] = {"TopK"};
constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, ITopKLayer::setK, 8.0 to 11.1",
    "measured: TensorRT-RTX 1.5.0 and 1.7.1",
};
constexpr std::string_view kMessages[] = {"K exceeds the maximum value allowed (*)"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD203",
    .name = "topk-too-large",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a TopK of more than 3,840 elements",
    .docs = R"(## What it checks
K of TopK is at most 3,840: as a constant, as a size that is computed from the shape of something (`torch.sort` asks for all elements of
the axis), and at the sizes of the profile. A K that is not known is not judged.

## Why TensorRT cares
Its TopK layer has this limit in every release: `K exceeds the maximum value allowed (3840)`. A K that is too large at the largest sizes
of the profile only passes the build and fails when the engine runs.

## Example
```onnx
agraph (float[N,8400] x) => (float[N,4000] values, int64[N,4000] indices)
<int64[1] k = {4000}> {
  values, indices = TopK(x, k)
}
```

## Instead
```onnx
agraph (float[N,8400] x) => (float[N,300] values, int64[N,300] indices)
<int64[1] k = {300}> {
  values, indices = TopK(x, k)
}
```

## Fix
Ask for fewer candidates: detectors need a few hundred. Where more are needed, cut the axis into parts, select the best of each, then the
best of those. A full sort does not fit into this layer.

## Evidence
The header's comment on `setK`. Measured with TensorRT-RTX 1.5.0 and 1.7.1: 3,840 builds, 3,841 is refused by the builder, as an initializer
and computed by Shape, for FLOAT and INT64; above the limit at kOPT is refused, at kMAX only builds.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .refused_by = RefusedBy::shapes,
    .check = check,
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::topk_too_large
