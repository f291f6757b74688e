#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/core.h>

#include "model/graphs.hpp"
#include "model/walk.hpp"
#include "rules/control/undecided.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/bodies.hpp"
#include "view/narrow_layers.hpp"
#include "view/reads.hpp"
#include "view/run_time_sizes.hpp"

namespace trtcheck::rules::invariant_in_nested_loop {
namespace {

/// How many layers make a value; more than two are two.
constexpr int kSeveral = 2;

/// What a value of a body, or around it, rests on, and how many layers stand between.
struct Rests {
  enum class On : std::uint8_t {
    outside,  ///< inputs of the model, or constants
    number,   ///< the number of the iteration, too
    carried,  ///< what the loop carries
  };
  On on = On::outside;
  bool on_data = false;      ///< on inputs of the model, not on constants and sizes alone
  bool is_computed = false;  ///< what is carried begins as the result of a layer
  int layers = 0;
};

/// A node that reads what the loop carries, and something that it does not carry; a recurrent layer that reads the
/// latter.
struct Join {
  NodeId node{};
  ValueId other{};
  bool is_late = false;       ///< other layers of the iteration stand before it
  bool is_recurrent = false;  ///< a layer that TensorRT makes a loop of
};

class Body {
 public:
  Body(const RuleContext& context, const Node& loop, GraphId body) : context_(&context), loop_(&loop), body_(body) {}

  /// The first one that TensorRT does not build; none: it builds all of them, or nobody knows.
  [[nodiscard]] Join find() {
    const Model& model = context_->model();
    Join found;
    for (const NodeId id : model.graph(body_).order) {
      const Node& node = model.node(id);
      const std::vector<ValueId> inputs = inputs_of(node);
      const Rests before = is_a(node.op_type, kinds::takes_sizes_only) ? Rests{} : together(inputs);
      for (const ValueId output : node.outputs) {
        if (output) known_[output.index] = behind(node, before);
      }
      if (found.node) continue;
      if (is_a(node.op_type, kinds::recurrent)) {
        found = recurrent_join(id, inputs);
      } else if (before.on == Rests::On::carried) {
        found = join_of(id, node, inputs, before);
      }
    }
    return found.is_recurrent || iterates() ? found : Join{};
  }

 private:
  /// A loop none of whose results that are read rests on an iteration is no loop any more when the builder looks at it.
  [[nodiscard]] bool iterates() {
    const Model& model = context_->model();
    const auto outputs = model.graph(body_).outputs;
    for (std::size_t i = 1; i < outputs.size() && i - 1 < loop_->outputs.size(); ++i) {
      const ValueId result = loop_->outputs[i - 1];
      if (result && is_read(model, result, Reads::anything) && of(outputs[i]).on != Rests::On::outside) return true;
    }
    return false;
  }

  [[nodiscard]] Rests of(ValueId id) {
    const Model& model = context_->model();
    if (is_constant(id)) return {};
    if (const auto found = known_.find(id.index); found != known_.end()) return found->second;
    const Rests rests = model.value(id).graph == body_ ? handed_in(id) : around(id);
    known_.emplace(id.index, rests);
    return rests;
  }

  /// Number of the iteration, condition, and from the third on what is carried.
  [[nodiscard]] Rests handed_in(ValueId id) const {
    const auto inputs = context_->model().graph(body_).inputs;
    const auto at = static_cast<std::size_t>(std::ranges::find(inputs, id) - inputs.begin());
    if (at < 2 || at >= loop_->inputs.size()) return {.on = Rests::On::number};
    const ValueId begin = loop_->inputs[at];
    return {.on = Rests::On::carried,
            .is_computed = !is_constant(begin) && static_cast<bool>(producer_of(context_->model(), begin))};
  }

  /// Of a value that the body has from outside.
  [[nodiscard]] Rests around(ValueId id) const {
    if (!is_made_of_data(id)) return {};
    const NodeId maker = producer_of(context_->model(), id);
    if (!maker) return {.on_data = true};
    const Node& node = context_->model().node(maker);
    const bool is_several = has_graphs(node) || is_narrow_layer(context_->view(), node) ||
                            (node.graph != loop_->graph && is_of_several(node));
    const auto is_made = [&](ValueId input) {
      return !is_constant(input) && producer_of(context_->model(), input) && is_made_of_data(input);
    };
    return {.on_data = true, .layers = is_several || std::ranges::any_of(inputs_of(node), is_made) ? kSeveral : 1};
  }

  /// Of vectors MatMul makes matrices first.
  [[nodiscard]] bool is_of_several(const Node& node) const {
    if (is_narrow_layer(context_->view(), node)) return true;
    const auto is_vector = [&](ValueId input) {
      const ValueShape& shape = context_->shape(input);
      return shape.has_rank && shape.rank() == 1;
    };
    return is_a(node.op_type, kinds::several_layers) ||
           (node.op_type == "MatMul" && std::ranges::any_of(node.inputs, is_vector));
  }

  [[nodiscard]] bool is_constant(ValueId id) const { return !id || context_->shapes().folds_to_constant(id); }

  /// Of an input of the model, not of constants and sizes alone. Behind many layers there is one.
  [[nodiscard]] bool is_made_of_data(ValueId from) const {
    constexpr std::size_t kMost = 256;
    return walk<kMost>(from, [&](ValueId id, auto& onward) {
             if (is_constant(id)) return false;
             const NodeId maker = producer_of(context_->model(), id);
             if (!maker) return true;
             const Node& node = context_->model().node(maker);
             if (has_graphs(node)) return true;  // not looked into
             if (!is_a(node.op_type, kinds::takes_sizes_only)) onward.add(inputs_of(node));
             return false;
           }) != Walked::nowhere;
  }

  /// Layers behind what is carried are counted apart.
  [[nodiscard]] Rests together(const std::vector<ValueId>& inputs) {
    Rests rests;
    for (const ValueId input : inputs) {
      const Rests one = of(input);
      if (one.on == Rests::On::carried && rests.on != Rests::On::carried) rests = {.on = Rests::On::carried};
      if (rests.on == Rests::On::carried && one.on != Rests::On::carried) continue;
      rests.on = std::max(rests.on, one.on);
      rests.on_data |= one.on_data;
      rests.is_computed |= one.is_computed;
      rests.layers = std::max(rests.layers, one.layers);
    }
    return rests;
  }

  [[nodiscard]] Rests behind(const Node& node, Rests rests) const {
    const int own = has_graphs(node) || is_of_several(node) ? kSeveral : 1;
    if (rests.on != Rests::On::outside || rests.on_data) rests.layers = std::min(kSeveral, rests.layers + own);
    return rests;
  }

  /// But those that hold sizes; with what the bodies of the node read from around it.
  [[nodiscard]] std::vector<ValueId> inputs_of(const Node& node) const {
    const auto sizes = size_operands(node.op_type);
    std::vector<ValueId> inputs;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (std::ranges::find(sizes, i) == sizes.end()) inputs.push_back(node.inputs[i]);
    }
    const std::vector<ValueId> read = read_around(context_->model(), node);
    inputs.insert(inputs.end(), read.begin(), read.end());
    return inputs;
  }

  [[nodiscard]] Join recurrent_join(NodeId id, const std::vector<ValueId>& inputs) {
    const auto other = std::ranges::find_if(inputs, [&](ValueId input) {
      const Rests rests = of(input);
      return rests.on != Rests::On::carried && rests.on_data;
    });
    return other == inputs.end() ? Join{} : Join{.node = id, .other = *other, .is_recurrent = true};
  }

  /// @param carried  what its inputs that the loop carries rest on
  [[nodiscard]] Join join_of(NodeId id, const Node& node, const std::vector<ValueId>& inputs, const Rests& carried) {
    const bool may_be_late = carried.layers > 0 && !has_graphs(node);
    for (const ValueId input : inputs) {
      const Rests rests = of(input);
      if (rests.on == Rests::On::carried || !rests.on_data) continue;
      const bool is_late = may_be_late && rests.on == Rests::On::outside;
      if (is_late || (rests.layers >= kSeveral && !carried.is_computed))
        return {.node = id, .other = input, .is_late = is_late};
    }
    return {};
  }

  const RuleContext* context_;
  const Node* loop_;
  GraphId body_;
  std::unordered_map<std::uint32_t, Rests> known_;
};

/// Around the branch there are no other loops: of those some are built.
bool is_in_loop(const Model& model, NodeId branch) {
  for (NodeId id = branch; id; id = model.graph(model.node(id).graph).parent) {
    if (model.node(id).op_type != "If") return true;
  }
  return false;
}

/// The node is a Loop, or one of its bodies holds one.
bool holds_loop(const Model& model, const Node& node) {
  if (node.op_type == "Loop") return true;
  return std::ranges::any_of(graphs_of(node), [&](GraphId body) {
    return std::ranges::any_of(model.graph(body).order, [&](NodeId id) { return holds_loop(model, model.node(id)); });
  });
}

/// Another Loop stands before the `if` around the branch, or in its first branch.
bool has_loop_before(const Model& model, GraphId branch) {
  while (model.graph(branch).kind == Graph::Kind::body) {
    const NodeId owner = model.graph(branch).parent;
    const Node& node = model.node(owner);
    const Attribute* first = node.attribute("then_branch");
    const bool is_second = first != nullptr && first->g() != branch;
    const auto loops = [&](NodeId id) { return holds_loop(model, model.node(id)); };
    if (is_second && first->g() && std::ranges::any_of(model.graph(first->g()).order, loops)) return true;
    for (const NodeId id : model.graph(node.graph).order) {
      if (id == owner) break;
      if (loops(id)) return true;
    }
    branch = node.graph;
  }
  return false;
}

void check(RuleContext& context) {
  const Model& model = context.model();
  const Node& loop = context.node();
  const NodeId branch = undecided_if_around(context, context.node_id());
  const Attribute* body = loop.attribute("body");
  if (!branch || is_in_loop(model, branch) || body == nullptr || !body->g()) return;
  // Of loops that collect a result of each iteration most are built, and nobody knows which ones are not.
  if (loop.inputs.size() < model.graph(body->g()).outputs.size() + 1) return;
  const Join join = Body(context, loop, body->g()).find();
  if (!join.node) return;
  const std::string_view why =
      join.is_recurrent ? "TensorRT makes a loop of such a layer, and builds it there only of what is carried"
      : join.is_late    ? "TensorRT reads such a tensor there only where an iteration begins"
                        : "TensorRT reads such a tensor there only where one layer at most makes it";
  FindingBuilder finding = context.add(
      join.node, fmt::format("{} `{}` reads `{}`, which Loop `{}` does not carry, inside of a branch of If `{}`: {}",
                             model.node(join.node).op_type, context.label(join.node), context.name(join.other),
                             context.label(context.node_id()), context.label(branch), why));
  finding.value(context.name(join.other))
      .note("the condition is known only at run time", branch)
      .fix("run the loop before the `if`, and choose between the results: `torch.where(flag, a, b)`");
  if (!join.is_recurrent && !is_behind_body(context.view(), join.other) && has_loop_before(model, loop.graph)) {
    finding.severity(Severity::warning)
        .certainty(Certainty::possible)
        .note("another loop stands before the `if`: some such models are built");
  }
  doubt_before_measured(context, finding);
}

constexpr std::string_view kEvidence[] = {
    "measured: TensorRT-RTX 1.7.1, 1,330 forms; 1.4.0, 820 of them; 1.5.0 and 1.6.1, nine",
};
constexpr std::string_view kMessages[] = {"Assertion mScopedOp2Scopes.contains(childScopedOp) failed",
                                          "Assertion mScopedOp2Scopes.count(childScopedOp) failed"};
constexpr std::string_view kOps[] = {"Loop"};

}  // namespace

extern constinit const Rule rule{
    .code = "CTL105",
    .name = "invariant-in-nested-loop",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a loop inside of a branch reads a tensor that it does not carry",
    .docs = R"(## What it checks
A Loop in a branch of an If whose condition is known only at run time, and whose body reads a tensor that the loop does not carry: an input of the model, or what is computed of it
before the loop or in its body. Constants do not count.

## Why TensorRT cares
The builder moves what does not change out of the loop, and stops in the branch. It does so where the tensor meets what the loop carries after another layer of the iteration, and where
two layers or more make the tensor (a convolution or pooling of rank 3 is two) and the loop begins with inputs of the model or constants. A recurrent layer in the body must read nothing
but what the loop carries. In the main graph the same loop is built. Where another Loop stands before the `if`, or in its first branch, some of these
models are built, unless a body makes the tensor: then it is a warning. Nothing is said of a loop that
collects a result of each iteration: most of these are built.

## Example
```onnx target=11.5
agraph (float[4] x, float[4] first, bool flag) => (float[4] y) <int64 count = {3}, bool go = {1}> {
  half = Neg (x)
  same = Relu (half)
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

## Instead
```onnx target=11.5
agraph (float[4] x, float[4] first, bool flag) => (float[4] y) <int64 count = {3}, bool go = {1}> {
  half = Neg (x)
  same = Relu (half)
  a = Loop (count, go, first) <body = body (int64 i, bool c, float[4] v) => (bool d, float[4] w) {
    d = Identity (c)
    w = Add (v, same)
  }>
  b = Neg (first)
  y = Where (flag, a, b)
}
```

## Fix
Run the loop before the `if`, and choose between the results.

## Evidence
Measured with TensorRT-RTX 1.7.1 (1,330 forms), 1.4.0 (820 of them), 1.5.0 and 1.6.1 (nine). Nothing is known of releases before 10.16, where it is a warning.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .check = check,
    .gates = {gates::sizes_of_branches_measured},
};

}  // namespace trtcheck::rules::invariant_in_nested_loop
