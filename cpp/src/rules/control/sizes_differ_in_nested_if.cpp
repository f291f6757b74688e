#include <algorithm>

#include <fmt/core.h>

#include "rules/control/undecided.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::sizes_differ_in_nested_if {
namespace {

GraphId branch(const Node& node, std::string_view name) {
  const Attribute* found = node.attribute(name);
  return found != nullptr && found->type == AttributeType::graph ? found->g() : GraphId{};
}

void check(RuleContext& context) {
  const NodeId outer = undecided_if_around(context, context.node_id());
  if (!outer || context.shapes().taken_branch(context.node_id())) return;
  const GraphId yes = branch(context.node(), "then_branch"), no = branch(context.node(), "else_branch");
  if (!yes || !no) return;
  const auto a = context.model().graph(yes).outputs, b = context.model().graph(no).outputs;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const Truth equal = sizes_equal(context, context.shape(a[i]), context.shape(b[i]));
    if (equal == Truth::yes) continue;
    FindingBuilder finding = context.add(
        fmt::format("the branches of If `{}` return {} and {}, inside of a branch of If `{}`: TensorRT needs one size "
                    "in a nested If",
                    context.label(context.node_id()), context.shapes().text(a[i]), context.shapes().text(b[i]),
                    context.label(outer)));
    finding.note("both conditions are known only at run time", outer)
        .fix(
            "give both branches one size (pad the smaller one), combine the conditions and use one If, or use "
            "`torch.where`");
    if (equal == Truth::unknown) {
      finding.severity(Severity::warning).certainty(Certainty::possible).note("the sizes may be equal");
    }
    doubt_before_measured(context, finding);
    return;
  }
}

constexpr std::string_view kEvidence[] = {
    "measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1 do not build it",
};
constexpr std::string_view kMessages[] = {"Assertion n.outputs.size() == 1 failed"};
constexpr std::string_view kOps[] = {"If"};

}  // namespace

extern constinit const Rule rule{
    .code = "CTL104",
    .name = "sizes-differ-in-nested-if",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an If inside of a branch returns one of two sizes",
    .docs = R"(## What it checks
An If in a branch of another If, both with conditions that are known only at run time, where the branches of the inner one return different sizes.

## Why TensorRT cares
The result has a size that the data decide, and the builder has no place for that inside of a branch. The same If in the main graph is built; in a loop, and where its result is
read in a body, see [CTL106](two-sizes-in-body.md).

## Example
```onnx target=11.5
agraph (float[5,4] x, bool f, bool g) => (float y) <int64[1] zero = {0}, int64[1] one = {1}> {
  y = If (f) <
    then_branch = outer_then () => (float r) {
      part = If (g) <
        then_branch = inner_then () => (float[A,4] p) { p = Slice (x, zero, one, zero) },
        else_branch = inner_else () => (float[B,4] q) { q = Relu (x) }
      >
      r = ReduceSum <keepdims = 0> (part)
    },
    else_branch = outer_else () => (float s) { s = ReduceMax <keepdims = 0> (x) }
  >
}
```

## Instead
```onnx target=11.5
agraph (float[5,4] x, bool f, bool g) => (float y) <int64[1] zero = {0}, int64[1] one = {1}> {
  y = If (f) <
    then_branch = outer_then () => (float r) {
      r = If (g) <
        then_branch = inner_then () => (float p) { first = Slice (x, zero, one, zero)  p = ReduceSum <keepdims = 0> (first) },
        else_branch = inner_else () => (float q) { all = Relu (x)  q = ReduceSum <keepdims = 0> (all) }
      >
    },
    else_branch = outer_else () => (float s) { s = ReduceMax <keepdims = 0> (x) }
  >
}
```

## Fix
Give both branches one size, or move what makes the sizes equal (a sum, a padding) into the branches.

## Evidence
Measured with TensorRT-RTX 1.4.0 to 1.7.1. Nothing is known of releases before 10.16, where it is a warning.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .refused_by = RefusedBy::kernels,
    .check = check,
    .gates = {gates::sizes_of_branches_measured},
};

}  // namespace trtcheck::rules::sizes_differ_in_nested_if
