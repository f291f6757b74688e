#include <fmt/core.h>

#include "rules/control/undecided.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/node_view.hpp"
#include "view/reads.hpp"

namespace trtcheck::rules::last_loop_output_unread {
namespace {

/// What the loop carries, and something reads in the end, begins as inputs of the model.
bool begins_with_inputs(const Model& model, const Node& loop) {
  const std::size_t skipped = loop.op_type == "Loop" ? 2 : 0;  // count and condition
  bool is_any = false;
  for (std::size_t i = 0; i < loop.outputs.size() && i + skipped < loop.inputs.size(); ++i) {
    if (!loop.outputs[i] || !is_read(model, loop.outputs[i], Reads::anything)) continue;
    const ValueId begin = loop.inputs[i + skipped];
    if (!begin || model.constant(begin) || producer_of(model, begin)) return false;
    is_any = true;
  }
  return is_any;
}

void check(RuleContext& context) {
  const Node& loop = context.node();
  const NodeId branch = undecided_if_around(context, context.node_id());
  if (!branch || loop.outputs.size() < 2 || !loop.outputs.back()) return;
  const ValueId last = loop.outputs.back();
  if (is_read(context.model(), last, Reads::anything)) return;
  FindingBuilder finding = context.add(fmt::format(
      "nothing uses `{}`, the last result of {} `{}`, which is inside of a branch of If `{}`: TensorRT does "
      "not build such a loop",
      context.name(last), loop.op_type, context.label(context.node_id()), context.label(branch)));
  finding.value(context.name(last))
      .note("the condition is known only at run time", branch)
      .fix("return it from the `if` as well, or let the loop carry it before a value that is used");
  if (!begins_with_inputs(context.model(), loop)) {
    finding.severity(Severity::warning)
        .certainty(Certainty::possible)
        .note("if the loop begins with what other layers compute, some such models are built");
  }
  doubt_before_measured(context, finding);
}

constexpr std::string_view kEvidence[] = {
    "measured: TensorRT-RTX 1.4.0 and 1.7.1, some 20 forms",
};
constexpr std::string_view kMessages[] = {"Assertion tScope == mScopedOp2Scopes.at(op) failed",
                                          "Assertion tScope.getType() != ScopeType::kUNDEFINED failed"};

}  // namespace

extern constinit const Rule rule{
    .code = "CTL108",
    .name = "last-loop-output-unread",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "nothing uses the last result of a loop inside of a branch",
    .docs = R"(## What it checks
A Loop or a Scan in a branch of an If whose condition is known only at run time, with two results or more, of which nothing uses the last one: a value that the loop carries, or what it
collects from all iterations.

## Why TensorRT cares
The builder stops at such a loop. It builds the same loop in the main graph, and in the branch where something uses the last result, whether or not the others are used. Where the loop
begins with constants or with what other layers compute, some of these models are built: then it is a warning.

## Example
```onnx target=11.5
agraph (float[4] first, float[4] second, bool flag) => (float[4] y) <int64 count = {3}, bool go = {1}> {
  y = If (flag) <
    then_branch = then_graph () => (float[4] a) {
      a, unused = Loop (count, go, first, second) <
        body = body (int64 i, bool c, float[4] v, float[4] u) => (bool d, float[4] w, float[4] t) {
          d = Identity (c)
          w = Mul (v, u)
          t = Neg (u)
        }>
    },
    else_branch = else_graph () => (float[4] b) { b = Neg (first) }
  >
}
```

## Instead
```onnx target=11.5
agraph (float[4] first, float[4] second, bool flag) => (float[4] y) <int64 count = {3}, bool go = {1}> {
  y = If (flag) <
    then_branch = then_graph () => (float[4] a) {
      unused, a = Loop (count, go, second, first) <
        body = body (int64 i, bool c, float[4] u, float[4] v) => (bool d, float[4] t, float[4] w) {
          d = Identity (c)
          w = Mul (v, u)
          t = Neg (u)
        }>
    },
    else_branch = else_graph () => (float[4] b) { b = Neg (first) }
  >
}
```

## Fix
Let the loop carry a value that is used last, or return the unused one from both branches.

## Evidence
Measured with TensorRT-RTX 1.4.0 and 1.7.1. Nothing is known of releases before 10.16, where it is a warning.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::loop.operators,
    .check = check,
    .gates = {gates::sizes_of_branches_measured},
};

}  // namespace trtcheck::rules::last_loop_output_unread
