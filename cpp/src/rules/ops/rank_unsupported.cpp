#include <algorithm>

#include <fmt/format.h>

#include "rules/claims.hpp"
#include "rules/ops/constraint_finding.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

bool allowed(const Constraint& constraint, std::size_t rank) {
  using Must = Constraint::Must;
  const std::string text = std::to_string(rank);
  if (constraint.must == Must::rank_in) return std::ranges::find(constraint.values, text) != constraint.values.end();
  const std::size_t limit = std::stoul(std::string(constraint.values.front()));
  return constraint.must == Must::rank_at_least ? rank >= limit : rank <= limit;
}

/// A rank that ONNX itself rules out is told by shape-conflict; not behind very many conflicts, they are looked through
/// for every such node.
bool is_conflict(const RuleContext& context) {
  constexpr std::size_t kMost = 10'000;
  const auto all = context.shapes().conflicts();
  const auto conflicts = all.first(std::min(all.size(), kMost));
  return std::ranges::find(conflicts, context.node_id(), &Conflict::node) != conflicts.end();
}

void check(RuleContext& context) {
  using Must = Constraint::Must;
  for (const Constraint& constraint :
       constraints_of_node(context, {Must::rank_in, Must::rank_at_least, Must::rank_at_most}, Constraint::On::input)) {
    const ValueId input = context.node().input(constraint.index);
    const ValueShape& shape = context.shape(input);
    if (!input || !shape.has_rank || allowed(constraint, shape.rank()) || is_conflict(context)) continue;
    const std::string_view bound = constraint.must == Must::rank_at_least  ? "at least "
                                   : constraint.must == Must::rank_at_most ? "at most "
                                                                           : "";
    FindingBuilder finding = add_constraint(
        context, constraint,
        fmt::format("input {} `{}` of {} `{}` has rank {}, TensorRT {} takes rank {}{}", constraint.index,
                    context.name(input), context.node().op_type, context.label(context.node_id()), shape.rank(),
                    to_string(context.target().release), bound, allowed_values(constraint)));
    finding.value(context.name(input)).fix("reshape the input before the node, and the result behind it");
    if (shape.assumed) rests_on_claim(finding, "the rank");
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxOpImporters.cpp of each release"};

}  // namespace

extern constinit const Rule rank_unsupported{
    .code = "OPS403",
    .name = "rank-unsupported",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "an input with a number of dims that the importer does not take",
    .docs = R"(## What it checks
Inputs whose number of dims the importer tests: matrices of Gemm, rank 4 for DepthToSpace and SpaceToDepth, rank 3 for
NonMaxSuppression, and others.

## Why TensorRT cares
ONNX allows more ranks than the importer takes for some operators; and a model with a wrong rank is refused in any case.

## Example
```onnx target=8.5
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y) {
  y = Trilu (x)
}
```

## Instead
```onnx target=8.5
agraph (float[2,4,4] x) => (float[2,4,4] y) {
  y = Trilu (x)
}
```

## Fix
Reshape before and behind the node, or use an operator that takes the rank (MatMul for Gemm).

## Evidence
Rows of `cpp/data/op_support.json`: onnx-tensorrt `docs/operators.md`, importers and static checks of each release. Where a row
was last seen in an older release than the target, the certainty is "likely".
)",
    .evidence = kEvidence,
    .ops = kConstrainedOperators,
    .check = check};

}  // namespace trtcheck::rules
