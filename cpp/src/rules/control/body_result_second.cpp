#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "model/graphs.hpp"
#include "model/walk.hpp"
#include "rules/control/undecided.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/bodies.hpp"

namespace trtcheck::rules::body_result_second {
namespace {

/// Whether any of the values is made, in the body, of what an iteration begins with. What a body within makes, or a
/// recurrent layer, is not looked into: unknown.
Truth rests_on_iteration(const Model& model, GraphId body, std::span<const ValueId> values) {
  constexpr std::size_t kMost = 256;
  Truth any = Truth::no;
  for (const ValueId from : values) {
    if (!from) continue;
    const Walked end = walk<kMost>(from, [&](ValueId id, auto& onward) {
      if (model.value(id).graph != body) return false;
      const NodeId maker = producer_of(model, id);
      if (!maker) return !model.constant(id);
      const Node& node = model.node(maker);
      const bool is_closed = has_graphs(node) || node.call() || is_a(node.op_type, kinds::recurrent);
      if (is_closed) any = Truth::unknown;
      if (!is_closed && !is_a(node.op_type, kinds::takes_sizes_only)) onward.add(node.inputs);
      return false;
    });
    if (end == Walked::found) return Truth::yes;
    if (end == Walked::too_far) any = Truth::unknown;
  }
  return any;
}

/// A loop, a recurrent layer, or an If that is decided at run time: in the main graph, or in the body and the same in
/// each iteration.
bool makes_result(const RuleContext& context, NodeId maker, GraphId body) {
  const Model& model = context.model();
  const Node& node = model.node(maker);
  if (node.call()) return false;
  const bool is_choice = is_decided_at_run_time(context.view(), node);
  if (!is_choice && !is_a(node.op_type, kinds::loop) && !is_a(node.op_type, kinds::recurrent)) return false;
  if (node.graph != body) return node.graph == kMainGraph;
  std::vector<ValueId> read = read_around(model, node);
  read.insert(read.end(), node.inputs.begin(), node.inputs.end());
  return rests_on_iteration(model, body, read) == Truth::no;
}

/// From the graph up to the main graph there are bodies of loops only.
bool is_in_loops_alone(const Model& model, GraphId id) {
  if (id == kMainGraph) return false;
  while (model.graph(id).kind == Graph::Kind::body) {
    const Node& owner = model.node(model.graph(id).parent);
    if (!is_a(owner.op_type, kinds::loop)) return false;
    id = owner.graph;
  }
  return id == kMainGraph;
}

/// Of a lower rank, the builder puts a reshape in front of the operator.
bool is_of_highest_rank(const RuleContext& context, const Node& node, ValueId value) {
  const ValueShape& own = context.shape(value);
  return own.has_rank && std::ranges::all_of(node.inputs, [&](ValueId other) {
           return !other || (context.shape(other).has_rank && context.shape(other).rank() <= own.rank());
         });
}

constexpr std::string_view kReaders[] = {
    "Add",  "Concat",          "Conv",      "Div", "Einsum", "Equal", "Gemm", "Greater", "GreaterOrEqual",
    "Less", "LessOrEqual",     "MatMul",    "Max", "Mean",   "Min",   "Mod",  "Mul",     "PRelu",
    "Pow",  "ScatterElements", "ScatterND", "Sub", "Sum",    "Where"};

void tell(RuleContext& context, NodeId reader, ValueId first, ValueId second) {
  const Model& model = context.model();
  const NodeId maker = producer_of(model, second);
  FindingBuilder finding = context.add(
      reader, fmt::format("{} `{}`, in the body of a loop, reads `{}`, which belongs to the iteration, and after it "
                          "`{}`, a result of {} `{}`: {} builds such operands in the other order only",
                          model.node(reader).op_type, context.label(reader), context.name(first), context.name(second),
                          model.node(maker).op_type, context.label(maker), context.release().name()));
  finding.value(context.name(second))
      .fix(
          "swap the operands if the order does not matter (`y + x` in place of `x + y`), or compute something with "
          "the result in front of the loop: `y.reshape(y.shape)` is enough");
  doubt_before_measured(context, finding);
}

void check_reader(RuleContext& context, NodeId id) {
  const Model& model = context.model();
  const Node& node = model.node(id);
  ValueId first;
  for (const ValueId input : node.inputs) {
    if (!input) continue;
    const NodeId maker = producer_of(model, input);
    if (maker && makes_result(context, maker, node.graph)) {
      if (!first) return;
      if (is_of_highest_rank(context, node, input)) return tell(context, id, first, input);
    } else if (!first && rests_on_iteration(model, node.graph, {&input, 1}) == Truth::yes) {
      first = input;
    }
  }
}

void check(RuleContext& context) {
  const Model& model = context.model();
  for (const GraphId body : graphs_of(context.node())) {
    if (!is_in_loops_alone(model, body)) continue;
    for (const NodeId id : model.graph(body).order) {
      const Node& node = model.node(id);
      const bool is_asked = node.inputs.size() > 1 && std::ranges::find(kReaders, node.op_type) != std::end(kReaders);
      if (is_asked && !node.call()) check_reader(context, id);
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "measured: TensorRT-RTX 1.4.0 and 1.7.1, 140 forms",
};
constexpr std::string_view kMessages[] = {"No nesting relationship"};

}  // namespace

extern constinit const Rule rule{
    .code = "CTL109",
    .name = "body-result-second",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an operator in a loop reads the result of another loop or of an If after what the loop carries",
    .docs = R"(## What it checks
Operators in the body of a Loop or a Scan with two operands or more: one that belongs to the iteration (what is carried, the number of the iteration, or what is computed of them), and after it
the result of another Loop, Scan, If, GRU, LSTM or RNN, of the main graph or of the same body if it is the same in each iteration. Conditions of If that are constant do not count.

## Why TensorRT cares
The builder looks for the scope of each layer by its operands, one after the other, and fails at this order. With the result first the same model is built, and so it is where any layer stands between
(also in the body), or where the result is of a lower rank, which puts a reshape in between. This is independent of whether anything needs the loop.

## Example
```onnx target=11.5
agraph (float[4] x, float[4] first, bool flag) => (float[4] y) <int64 count = {3}, bool go = {1}> {
  chosen = If (flag) <then_branch = t () => (float[4] a) { a = Exp (x) }, else_branch = e () => (float[4] b) { b = Neg (x) }>
  y = Loop (count, go, first) <body = body (int64 i, bool c, float[4] v) => (bool d, float[4] w) {
    d = Identity (c)
    w = Add (v, chosen)
  }>
}
```

## Instead
```onnx target=11.5
agraph (float[4] x, float[4] first, bool flag) => (float[4] y) <int64 count = {3}, bool go = {1}> {
  chosen = If (flag) <then_branch = t () => (float[4] a) { a = Exp (x) }, else_branch = e () => (float[4] b) { b = Neg (x) }>
  y = Loop (count, go, first) <body = body (int64 i, bool c, float[4] v) => (bool d, float[4] w) {
    d = Identity (c)
    w = Add (chosen, v)
  }>
}
```

## Fix
Swap the operands where their order does not matter, or compute something with the result in front of the loop.

## Evidence
Measured with TensorRT-RTX 1.4.0 and 1.7.1: 140 forms. Nothing is known of releases before 10.16, where it is a warning.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::loop.operators,
    .refused_by = RefusedBy::builder,
    .check = check,
    .gates = {gates::sizes_of_branches_measured},
};

}  // namespace trtcheck::rules::body_result_second
