#include <algorithm>
#include <unordered_map>

#include <fmt/core.h>

#include "rules/control/undecided.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::invariant_in_nested_loop {
namespace {

/// What a value inside of a body rests on.
enum class Rests : std::uint8_t { on_constants, on_outside, on_iterations };

/// Nodes of one body that compute the same in every iteration, from something that is no constant.
class Invariants {
 public:
  Invariants(const RuleContext& context, GraphId body) : context_(&context), body_(body) {}

  /// Enough of them that they are hoisted: one that no neighbour absorbs, or a second one; none: there are not.
  [[nodiscard]] NodeId find() {
    std::size_t pointwise = 0;
    NodeId found;
    const Model& model = context_->model();
    for (const NodeId id : model.graph(body_).order) {
      const Node& node = model.node(id);
      Rests rests = Rests::on_constants;
      for (const ValueId input : node.inputs) rests = std::max(rests, of(input));
      if (has_graph(node)) rests = Rests::on_iterations;  // not looked into
      for (const ValueId output : node.outputs) {
        if (output) known_[output.index] = rests;
      }
      if (rests != Rests::on_outside || is_a(node.op_type, kinds::no_layer_in_body) || is_shape_value(node)) continue;
      if (!found && (!is_a(node.op_type, kinds::pointwise) || ++pointwise > 1)) found = id;
    }
    return iterates() ? found : NodeId{};
  }

 private:
  /// A loop whose results rest on no iteration is no loop any more when the builder looks at it.
  [[nodiscard]] bool iterates() const {
    const Graph& body = context_->model().graph(body_);
    const bool is_loop = context_->model().node(body.parent).op_type == "Loop";
    return std::ranges::any_of(body.outputs.subspan(std::min<std::size_t>(is_loop ? 1 : 0, body.outputs.size())),
                               [&](ValueId id) { return of(id) == Rests::on_iterations; });
  }
  [[nodiscard]] static bool has_graph(const Node& node) {
    return std::ranges::any_of(node.attributes(), [](const Attribute& a) { return a.type == AttributeType::graph; });
  }
  /// Integers of rank 0 or 1 may be sizes, which are no layers.
  [[nodiscard]] bool is_shape_value(const Node& node) const {
    const ValueShape& shape = context_->shape(node.output(0));
    return (shape.type == DataType::int64 || shape.type == DataType::int32) && (!shape.has_rank || shape.rank() < 2);
  }
  [[nodiscard]] Rests of(ValueId id) const {
    if (!id || context_->model().constant(id) || context_->shapes().folds_to_constant(id)) return Rests::on_constants;
    if (const auto found = known_.find(id.index); found != known_.end()) return found->second;
    return context_->model().value(id).graph == body_ ? Rests::on_iterations : Rests::on_outside;
  }

  const RuleContext* context_;
  GraphId body_;
  std::unordered_map<std::uint32_t, Rests> known_;
};

void check(RuleContext& context) {
  const NodeId outer = undecided_if_around(context, context.node_id());
  const Attribute* body = context.node().attribute("body");
  if (!outer || body == nullptr || body->type != AttributeType::graph || !body->g()) return;
  const NodeId invariant = Invariants(context, body->g()).find();
  if (!invariant) return;
  FindingBuilder finding = context.add(
      invariant,
      fmt::format("{} `{}` computes the same in every iteration of {} `{}`, which is inside of a branch of If `{}`: "
                  "TensorRT cannot move it out of the loop there",
                  context.model().node(invariant).op_type, context.label(invariant), context.node().op_type,
                  context.label(context.node_id()), context.label(outer)));
  finding.note("the condition is known only at run time", outer)
      .fix("compute it before the `if`, or before the loop: `y = f(x)` above `for`, and use `y` inside");
  if (!context.has(gates::sizes_of_branches_measured)) {
    finding.severity(Severity::warning)
        .certainty(Certainty::possible)
        .note("TensorRT 10.16 and later refuse such a model; nothing is known of older releases");
  }
}

constexpr std::string_view kEvidence[] = {
    "measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1 do not build it, for 12 operators",
};
constexpr std::string_view kMessages[] = {"Assertion mScopedOp2Scopes.contains(childScopedOp) failed"};

}  // namespace

extern constinit const Rule rule{
    .code = "CTL105",
    .name = "invariant-in-nested-loop",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "in a loop inside of a branch, a node that computes the same in every iteration",
    .docs = R"(## What it checks
A Loop or a Scan in a branch of an If whose condition is known only at run time, with a node in its body that reads only tensors from outside of the loop: a slice, a product, a sum of
the input.

## Why TensorRT cares
The builder moves such a node out of the loop, into the branch, and stops there. One pointwise node that is merged into its neighbour is built. In the main graph the same loop is built, too.

## Example
```onnx target=11.5
agraph (float[4,4] x, float[4] first, bool flag) => (float[4] y)
<int64 count = {3}, bool go = {1}, float[4] weight = {1, 2, 3, 4}> {
  y = If (flag) <
    then_branch = then_graph () => (float[4] a) {
      a = Loop (count, go, first) <body = body (int64 i, bool c, float[4] v) => (bool d, float[4] w) {
        d = Identity (c)
        same = MatMul (x, weight)
        w = Add (v, same)
      }>
    },
    else_branch = else_graph () => (float[4] b) { b = Neg (first) }
  >
}
```

## Instead
```onnx target=11.5
agraph (float[4,4] x, float[4] first, bool flag) => (float[4] y)
<int64 count = {3}, bool go = {1}, float[4] weight = {1, 2, 3, 4}> {
  same = MatMul (x, weight)
  y = If (flag) <
    then_branch = then_graph () => (float[4] a) {
      a = Loop (count, go, first) <body = body (int64 i, bool c, float[4] v) => (bool d, float[4] w) {
        d = Identity (c)
        w = Add (v, same)
      }>
    },
    else_branch = else_graph () => (float[4] b) { b = Neg (first) }
  >
}
```

## Fix
Compute it before the `if`.

## Evidence
Measured with TensorRT-RTX 1.4.0 to 1.7.1. Nothing is known of releases before 10.16, where it is a warning.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::loop.operators,
    .check = check,
    .gates = {gates::sizes_of_branches_measured},
};

}  // namespace trtcheck::rules::invariant_in_nested_loop
