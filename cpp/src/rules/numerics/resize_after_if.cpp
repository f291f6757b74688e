#include <algorithm>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::resize_after_if {
namespace {

void check(RuleContext& context) {
  if (!context.has(gates::resize_after_if_wrong)) return;
  const Node& resize = context.node();
  const Node* const transpose = context.producer(resize.input(0));
  if (transpose == nullptr || transpose->op_type != "Transpose") return;
  const ValueId chosen = transpose->input(0);
  const Node* const branch = context.producer(chosen);
  if (branch == nullptr || branch->op_type != "If") return;
  const ValueShape& shape = context.shape(chosen);
  if (shape.has_rank && std::ranges::all_of(shape.dims, [](Dim dim) { return dim.is_literal(); })) return;
  context
      .add(fmt::format(
          "If, Transpose and Resize in a row, of dynamic size: an engine of 11.1 computed wrong numbers for "
          "such a model"))
      .note("one report, which nobody at NVIDIA has confirmed", context.model().value(chosen).producer)
      .fix("put the Transpose into both branches of the If, and compare the results with ONNX Runtime",
           context.model().value(chosen).producer);
}

constexpr std::string_view kEvidence[] = {"https://github.com/NVIDIA/TensorRT/issues/4846"};
constexpr std::string_view kOps[] = {"Resize"};

}  // namespace

extern constinit const Rule rule{
    .code = "NUM201",
    .name = "resize-after-if",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "from 11.1 on: a Resize after a Transpose of an If's output of dynamic size",
    .docs = R"(## What it checks
From 11.1 on: Resize of a Transpose of an output of If, where sizes of it are dynamic.

## Why TensorRT cares
For such a model an engine of 11.1 and 11.2 computed wrong numbers, without a message. One report: mode cubic with aligned corners, compute capability 7.5 and 8.6. Whether other modes and later releases do the same was not tried.

## Example
```onnx target=11.1 profile=x=1x3x8x8:1x3x16x16:1x3x32x32
agraph (float[1,3,H,W] x, bool c) => (y) <float[4] s = {1, 1, 2, 2}> {
  b = If (c) <
    then_branch = then_graph () => (float[1,3,H,W] t) { t = Relu(x) },
    else_branch = else_graph () => (float[1,3,H,W] e) { e = Abs(x) }
  >
  p = Transpose <perm = [0, 1, 3, 2]> (b)
  y = Resize <mode = "linear"> (p, , s)
}
```

## Instead
```onnx target=11.0 profile=x=1x3x8x8:1x3x16x16:1x3x32x32
agraph (float[1,3,H,W] x, bool c) => (y) <float[4] s = {1, 1, 2, 2}> {
  b = If (c) <
    then_branch = then_graph () => (float[1,3,H,W] t) { t = Relu(x) },
    else_branch = else_graph () => (float[1,3,H,W] e) { e = Abs(x) }
  >
  p = Transpose <perm = [0, 1, 3, 2]> (b)
  y = Resize <mode = "linear"> (p, , s)
}
```

## Fix
Put the Transpose into both branches, in front of their outputs; compare the numbers with ONNX Runtime.

## Evidence
NVIDIA/TensorRT issue 4846.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .check = check,
    .gates = {gates::resize_after_if_wrong},
};

}  // namespace trtcheck::rules::resize_after_if
