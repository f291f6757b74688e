#include <algorithm>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/node_view.hpp"

namespace trtcheck::rules::min_max_used_again {
namespace {

constexpr int kNear = 3;

bool is_single(const RuleContext& context, ValueId value) {
  const ValueShape& shape = context.shape(value);
  return shape.has_rank && std::ranges::all_of(shape.dims, [](Dim dim) { return dim.is(1); });
}

/// An output of the graph is at most so many nodes behind the value.
bool is_near_output(const RuleContext& context, ValueId value, int steps) {
  if (context.model().value(value).is_output) return true;
  return steps > 0 && std::ranges::any_of(context.model().value(value).users, [&](const Use& use) {
           const Node& reader = context.model().node(use.node);
           return !reader.outputs.empty() && reader.output(0) && is_near_output(context, reader.output(0), steps - 1);
         });
}

bool is_graph_input(const RuleContext& context, ValueId value) {
  const auto& inputs = context.model().graph().inputs;
  return std::ranges::find(inputs, value) != inputs.end();
}

void check(RuleContext& context) {
  if (!context.has(gates::min_max_reuse_wrong) || context.has(gates::min_max_reuse_not_reported)) return;
  const Node& smallest = context.node();
  const ValueId x = smallest.input(0);
  const ValueId low = smallest.output(0);
  if (!x || !low || !is_graph_input(context, x) || !is_single(context, low)) return;
  const auto reads_x = [&](std::string_view op) {
    return std::ranges::any_of(context.model().value(x).users, [&](const Use& use) {
      const Node& reader = context.model().node(use.node);
      if (reader.op_type != op) return false;
      return op == "Sub" ? reader.input(1) == low : is_single(context, reader.output(0));
    });
  };
  const auto is_added_again = [&](const Use& use) {
    const Node& reader = context.model().node(use.node);
    return reader.op_type == "Add" && is_near_output(context, reader.output(0), kNear - 1);
  };
  if (!reads_x("ReduceMax") || !reads_x("Sub")) return;
  if (!std::ranges::any_of(context.model().value(low).users, is_added_again)) return;
  context
      .add(fmt::format("the minimum and the maximum of input `{}` are used again near the outputs: an engine of 11.2 "
                       "computed wrong numbers for such a model",
                       context.name(x)))
      .value(context.name(x))
      .note("one report, which nobody at NVIDIA has confirmed")
      .fix("make the two scalars outputs of the graph, and compare the results with ONNX Runtime");
}

constexpr std::string_view kEvidence[] = {"https://github.com/rerun-io/examples-monorepo/pull/87"};
constexpr std::string_view kOps[] = {"ReduceMin"};

}  // namespace

extern constinit const Rule rule{
    .code = "NUM202",
    .name = "min-max-used-again",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "11.2: the smallest and the largest element of an input, used again near the outputs",
    .docs = R"(## What it checks
For TensorRT 11.2: ReduceMin and ReduceMax over all elements of one graph input, which is normalized with them, and the minimum is added again at most three nodes in front of a graph output.

## Why TensorRT cares
For such a model an engine of 11.2 computed garbage, at every precision, without a message. One report; it is not reported for 11.1 and 11.3.

## Example
```onnx target=11.2
agraph (float[1,8] x) => (float[1,8] y) {
  lo = ReduceMin <keepdims = 1> (x)
  hi = ReduceMax <keepdims = 1> (x)
  span = Sub(hi, lo)
  moved = Sub(x, lo)
  n = Div(moved, span)
  r = Tanh(n)
  m = Mul(r, span)
  y = Add(m, lo)
}
```

## Instead
```onnx target=11.1
agraph (float[1,8] x) => (float[1,8] y) {
  lo = ReduceMin <keepdims = 1> (x)
  hi = ReduceMax <keepdims = 1> (x)
  span = Sub(hi, lo)
  moved = Sub(x, lo)
  n = Div(moved, span)
  r = Tanh(n)
  m = Mul(r, span)
  y = Add(m, lo)
}
```

## Fix
Make the two scalars outputs of the graph; compare the numbers with ONNX Runtime.

## Evidence
rerun-io/examples-monorepo, pull request 87.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .check = check,
    .gates = {gates::min_max_reuse_wrong, gates::min_max_reuse_not_reported},
};

}  // namespace trtcheck::rules::min_max_used_again
