#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "rules/control/dead.hpp"
#include "rules/control/iterations.hpp"
#include "rules/control/undecided.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::size_from_data_in_body {
namespace {

bool is_constant(const RuleContext& context, const Node& node) {
  return std::ranges::all_of(node.inputs,
                             [&](ValueId input) { return !input || context.shapes().folds_to_constant(input); });
}

void report(RuleContext& context, NodeId id, const std::string& where) {
  const Node& node = context.model().node(id);
  FindingBuilder finding = context.add(
      id, fmt::format("{} `{}` is {}: its data decide the size of its result, and TensorRT accepts such an operator in "
                      "the main graph only",
                      node.op_type, context.label(id), where));
  finding.fix(
      "keep a fixed size there: a mask (`torch.where(mask, x, 0)`) or `topk` with a fixed number, in place of indices");
  doubt_before_measured(context, finding);
}

void check(RuleContext& context) {
  const auto has = [&](std::string_view op) { return context.view().operators.has(op); };
  if (!std::ranges::any_of(kinds::size_from_data.operators, has)) return;
  const DeadNodes dead(context.model());
  walk_iterations(context, [&](NodeId id, Loops depends, const Surroundings& where) {
    const Node& node = context.model().node(id);
    if (!is_a(node.op_type, kinds::size_from_data) || is_constant(context, node) || dead.contains(id)) return;
    if (const NodeId branch = undecided_if_above(context, where.graph)) {
      return report(context, id, fmt::format("in a branch of If `{}`", context.label(branch)));
    }
    // What is the same in every iteration is moved out of the loop.
    if (depends == 0) return;
    report(context, id,
           fmt::format("inside of {} `{}`, and its data change with the iteration",
                       context.model().node(where.loop).op_type, context.label(where.loop)));
  });
}

constexpr std::string_view kEvidence[] = {
    "measured: TensorRT-RTX 1.4.0 and 1.5.0 refuse both operators in If, Loop and Scan, 1.6.1 and 1.7.1 "
    "NonMaxSuppression in If; NonZero does not load there without a GPU",
};
constexpr std::string_view kMessages[] = {"Data-dependent shapes are only allowed in the top-level scope"};

}  // namespace

extern constinit const Rule rule{
    .code = "CTL107",
    .name = "size-from-data-in-body",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "NonZero or NonMaxSuppression inside of a branch or a loop",
    .docs = R"(## What it checks
NonZero and NonMaxSuppression (`torch.nonzero`, `x[mask]`, `torchvision.ops.nms`): their data decide the size of their result. In a branch of an If whose condition is known only
at run time, and in the body of a Loop or a Scan where their data change with the iteration. Reported wherever the result is used, even if only its sum is.

## Why TensorRT cares
The builder accepts a size that data decide in the main graph only: `Data-dependent shapes are only allowed in the top-level scope`. What is the same in every
iteration is moved out of a loop first, and a branch that is never taken is removed: both build.

## Example
```onnx target=10.16
agraph (bool k, float[2,3] x, int64[2] z) => (int64[2] y) <int64[1] ax = {1}> {
  y = If (k) <
    then_branch = then_graph () => (int64[2] a) { n = NonZero (x)  a = ReduceSum <keepdims = 0> (n, ax) },
    else_branch = else_graph () => (int64[2] b) { b = Neg (z) }
  >
}
```

## Instead
```onnx target=10.16
agraph (bool k, float[2,3] x, int64[2] z) => (int64[2] y) <float[1] zero = {0}, int64[1] ax = {1}> {
  y = If (k) <
    then_branch = then_graph () => (int64[2] a) { m = Greater (x, zero)  c = Cast <to = 7> (m)  a = ReduceSum <keepdims = 0> (c, ax) },
    else_branch = else_graph () => (int64[2] b) { b = Neg (z) }
  >
}
```

## Fix
Keep a fixed size inside of branches and loops: a mask and `torch.where`, or `topk` with a fixed number.

## Evidence
Measured with TensorRT-RTX 1.4.0, which is of the 10.16 branch, and later. Nothing is known of releases before 10.16, where it is a warning.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .refused_by = RefusedBy::kernels,
    .check = check,
    .gates = {gates::sizes_of_branches_measured},
};

}  // namespace trtcheck::rules::size_from_data_in_body
