#include <fmt/core.h>

#include "rules/control/undecided.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/run_time_sizes.hpp"

namespace trtcheck::rules::size_from_branch {
namespace {

void check(RuleContext& context) {
  if (!context.view().operators.has("If")) return;
  for (const NodeId id : context.nodes()) {
    const Node& node = context.model().node(id);
    for (const std::uint8_t operand : size_operands(node.op_type)) {
      const ValueId size = node.input(operand);
      if (!size) continue;
      const RunTimeSource source = run_time_source(context.view(), size);
      if (source.kind != RunTimeSource::Kind::chosen) continue;
      FindingBuilder finding = context.add(
          id, fmt::format("{} `{}` reads a size from `{}`, which If `{}` chooses while the engine runs: TensorRT needs "
                          "to know sizes before",
                          node.op_type, context.label(id), context.name(size), context.label(source.node)));
      finding.value(context.name(size))
          .note(fmt::format("its condition is `{}`", context.name(context.model().node(source.node).input(0))),
                source.node)
          .fix(
              "choose between the results instead of the sizes: `torch.where(flag, a, b)` of tensors that have one "
              "size, padded where needed; or export one model for each case");
      doubt_before_measured(context, finding);
      break;
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1 refuse it",
};
constexpr std::string_view kMessages[] = {"shape tensor must have non-negative rank"};

}  // namespace

extern constinit const Rule rule{
    .code = "CTL102",
    .name = "size-from-branch",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a size that an If chooses at run time",
    .docs = R"(## What it checks
Nodes that read a size, or a bound of a slice, which is an output of an If whose condition is known only at run time, where the branches give different numbers:
`k = 4 if flag else 2; x[:k]`.

## Why TensorRT cares
It computes sizes before the network runs, from shapes and from INT32 and INT64 inputs. The result of a conditional is none of these, and the parser stops at the node that reads it.

A tensor whose *shape* depends on the branch is allowed; its size may be read with `Shape`. So is a size that is the same in both branches, for all sizes of the inputs.

## Example
```onnx target=11.5
agraph (float[5,4] x, bool flag) => (float[N,4] y) <int64[1] zero = {0}> {
  k = If (flag) <
    then_branch = then_graph () => (int64[1] a) { a = Constant <value = int64[1] {1}> () },
    else_branch = else_graph () => (int64[1] b) { b = Constant <value = int64[1] {2}> () }
  >
  y = Slice (x, zero, k, zero)
}
```

## Instead
```onnx target=11.5
agraph (float[5,4] x, bool flag) => (float[N,4] y) <int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}> {
  y = If (flag) <
    then_branch = then_graph () => (float[A,4] a) { a = Slice (x, zero, one, zero) },
    else_branch = else_graph () => (float[B,4] b) { b = Slice (x, zero, two, zero) }
  >
}
```

## Fix
Choose between results instead of sizes: `torch.where(flag, a, b)` where both have one size, or slice inside of the branches. Or export one model for each case.

## Evidence
Measured with TensorRT-RTX 1.4.0 to 1.7.1. Nothing is known of releases before 10.16, where it is a warning.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::sizes_of_branches_measured},
};

}  // namespace trtcheck::rules::size_from_branch
