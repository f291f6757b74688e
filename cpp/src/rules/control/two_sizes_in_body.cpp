#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "model/walk.hpp"
#include "rules/control/dead.hpp"
#include "rules/control/iterations.hpp"
#include "rules/control/undecided.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/run_time_sizes.hpp"

namespace trtcheck::rules::two_sizes_in_body {
namespace {

bool is_recurrent(const Node& node) { return is_a(node.op_type, kinds::recurrent); }
bool reads_sizes_only(const Node& node) { return is_a(node.op_type, kinds::reads_sizes_only); }

/// It is true whenever the body of a Loop runs.
bool is_condition_of_body(const Model& model, ValueId id) {
  id = passed_on(model, id);
  if (!id) return false;
  const Graph& graph = model.graph(model.value(id).graph);
  const bool is_body = graph.kind == Graph::Kind::body && graph.parent;
  return is_body && model.node(graph.parent).op_type == "Loop" && graph.inputs.size() > 1 && graph.inputs[1] == id;
}

/// An If that chooses a size while the engine runs.
struct Chooser {
  Truth differs = Truth::no;  ///< yes: proven; unknown: the sizes may be equal
  std::size_t output = 0;     ///< the first one of two sizes
  std::size_t loops = 0;      ///< around the If
};

class Judge {
 public:
  explicit Judge(RuleContext& context) : context_(&context), model_(context.model()) {}

  void run() {
    for (const NodeId id : context_->nodes()) {
      if (model_.node(id).op_type == "If") add_chooser(id);
    }
    if (choosers_.empty()) return;
    walk_iterations(*context_,
                    [this](NodeId id, Loops depends, const Surroundings& where) { judge(id, depends, where); });
  }

 private:
  void add_chooser(NodeId id) {
    if (context_->shapes().taken_branch(id) || undecided_if_around(*context_, id)) return;  // the latter: CTL104
    if (is_condition_of_body(model_, model_.node(id).input(0))) return;
    const auto a = outputs(id, "then_branch"), b = outputs(id, "else_branch");
    Chooser found;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      const Truth equal = sizes_equal(*context_, context_->shape(a[i]), context_->shape(b[i]));
      if (equal == Truth::yes || (equal == Truth::unknown && found.differs == Truth::unknown)) continue;
      found.differs = equal == Truth::no ? Truth::yes : Truth::unknown;
      found.output = i;
      if (equal == Truth::no) break;
    }
    if (found.differs != Truth::no) choosers_.emplace(id, found);
  }
  [[nodiscard]] std::span<const ValueId> outputs(NodeId id, std::string_view branch) const {
    const Attribute* found = model_.node(id).attribute(branch);
    if (found == nullptr || found->type != AttributeType::graph || !found->g()) return {};
    return model_.graph(found->g()).outputs;
  }

  void judge(NodeId id, Loops depends, const Surroundings& where) {
    const Node& node = model_.node(id);
    if (const auto found = choosers_.find(id); found != choosers_.end()) {
      found->second.loops = where.loops;
      // What is the same in every iteration is moved out of one loop, not out of two.
      if (where.loops > 0 && (depends != 0 || where.loops > 1)) report_choice(id, found->second, where);
      return;
    }
    follow_claims(node);
    if (node.op_type == "If" || node.call()) return;
    if (is_loop(node)) return judge_loop(id, where);
    if (!reads_sizes_only(node)) judge_inputs(id, where);
    if (where.loops == 0 || is_recurrent(node) || (depends == 0 && !takes_chosen_size(node))) return;
    for (const ValueId output : node.outputs) {
      if (const NodeId chooser = chooser_of(output)) return report_result(id, output, chooser, where.graph, where.loop);
    }
  }

  /// A size that the file names hides where it comes from.
  void follow_claims(const Node& node) {
    for (const ValueId output : node.outputs) {
      if (!output || !context_->shape(output).assumed || chooser_of(output)) continue;
      for (const ValueId input : node.inputs) {
        if (const NodeId chooser = chooser_of(input)) claimed_.emplace(output, chooser);
      }
    }
  }

  /// Sizes are operands, too: these cannot be moved out of the loop.
  [[nodiscard]] bool takes_chosen_size(const Node& node) const {
    return std::ranges::any_of(size_operands(node.op_type), [&](std::uint8_t operand) {
      const ValueId id = node.input(operand);
      return id && chooser_in(context_->shape(id).known);
    });
  }

  /// Of a branch, what it reads from outside; in two loops, what stands between them.
  void judge_inputs(NodeId id, const Surroundings& where) {
    for (const ValueId input : model_.node(id).inputs) {
      if (!input || model_.value(input).graph == where.graph) continue;
      const NodeId chooser = chooser_of(input);
      if (!chooser) continue;
      const std::size_t loops = choosers_.at(chooser).loops;
      if (where.branch_of)
        return report_read(id, input, chooser, where.graph, "in a branch of " + named(where.branch_of));
      if (loops > 0 && where.loops > loops) {
        return report_read(id, input, chooser, where.graph, "inside of " + named(where.loop));
      }
    }
  }

  /// First values, and results that are stacked.
  void judge_loop(NodeId id, const Surroundings& where) {
    const Node& node = model_.node(id);
    const auto [first_input, first_output, count] = carried_values(node);
    for (std::size_t i = 0; i < count; ++i) {
      const ValueId first = node.input(first_input + i);
      if (const NodeId chooser = chooser_of(first)) return report_carried(id, first, chooser, where);
    }
    const auto made = outputs(id, "body");
    for (std::size_t i = first_output + count; i < made.size(); ++i) {
      const NodeId producer = made[i] ? model_.value(made[i]).producer : NodeId{};
      const NodeId chooser = producer ? chooser_of(made[i]) : NodeId{};
      if (!chooser || model_.node(producer).op_type == "If" || is_recurrent(model_.node(producer))) continue;
      report_result(producer, made[i], chooser, model_.node(producer).graph, id);
    }
  }

  /// The If that decides one of the sizes.
  [[nodiscard]] NodeId chooser_of(ValueId id) const {
    if (!id) return {};
    if (const auto found = claimed_.find(id); found != claimed_.end()) return found->second;
    const ValueShape& shape = context_->shape(id);
    return shape.has_rank ? chooser_in(shape.dims) : NodeId{};
  }
  [[nodiscard]] NodeId chooser_in(std::span<const Dim> dims) const {
    for (const Dim dim : dims) {
      if (dim.is_literal()) continue;
      for (const Origin& origin : context_->dims().origins(dim)) {
        if (origin.node != Origin::kNone && choosers_.contains(NodeId{origin.node})) return NodeId{origin.node};
      }
    }
    return {};
  }

  [[nodiscard]] bool is_dead(NodeId id) {
    if (!dead_) dead_.emplace(model_);
    return dead_->contains(id);
  }

  void report_choice(NodeId id, const Chooser& chooser, const Surroundings& where) {
    const ValueId a = outputs(id, "then_branch")[chooser.output], b = outputs(id, "else_branch")[chooser.output];
    add(id, id, where.graph,
        fmt::format("the branches of If `{}` return {} and {}, inside of {}: TensorRT accepts a size that is chosen "
                    "while the engine runs in the main graph only",
                    context_->label(id), context_->shapes().text(a), context_->shapes().text(b), named(where.loop)));
  }
  void report_result(NodeId id, ValueId value, NodeId chooser, GraphId graph, NodeId loop) {
    add(id, chooser, graph,
        fmt::format("`{}` is {} inside of {}, and If `{}` chooses this size while the engine runs: TensorRT accepts "
                    "such a tensor in the main graph only",
                    context_->name(value), context_->shapes().text(value), named(loop), context_->label(chooser)));
  }
  void report_carried(NodeId id, ValueId value, NodeId chooser, const Surroundings& where) {
    add(id, chooser, where.graph,
        fmt::format("{} carries `{}`, {}, and If `{}` chooses this size while the engine runs: TensorRT accepts such "
                    "a tensor in the main graph only",
                    named(id), context_->name(value), context_->shapes().text(value), context_->label(chooser)));
  }
  void report_read(NodeId id, ValueId value, NodeId chooser, GraphId graph, const std::string& where) {
    add(id, chooser, graph,
        fmt::format("{} reads `{}`, {}, {}, and If `{}` chooses this size while the engine runs: TensorRT accepts such "
                    "a tensor in the main graph only",
                    named(id), context_->name(value), context_->shapes().text(value), where, context_->label(chooser)));
  }
  [[nodiscard]] std::string named(NodeId id) const {
    return fmt::format("{} `{}`", model_.node(id).op_type, context_->label(id));
  }

  void add(NodeId id, NodeId chooser, GraphId graph, std::string message) {
    if (is_dead(id) || !reported_.emplace(chooser.index, graph.index).second) return;
    const bool is_proven = choosers_.at(chooser).differs == Truth::yes;
    FindingBuilder finding = context_->add(id, std::move(message));
    finding
        .note(
            fmt::format("its condition is `{}`, known only at run time", context_->name(model_.node(chooser).input(0))),
            chooser)
        .fix(
            "give both branches one size: pad the smaller one and mask what does not count, or reduce (`sum`, `mean`) "
            "inside of the branches");
    if (!is_proven) {
      finding.severity(Severity::warning).certainty(Certainty::possible).note("the sizes may be equal");
    }
    doubt_before_measured(*context_, finding);
  }

  RuleContext* context_;
  const Model& model_;
  std::map<NodeId, Chooser> choosers_;
  std::map<ValueId, NodeId> claimed_;  ///< values whose size the file names, and that a chooser decides
  std::optional<DeadNodes> dead_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> reported_;  ///< one finding for each If and graph
};

void check(RuleContext& context) {
  if (context.view().operators.has("If")) Judge(context).run();
}

constexpr std::string_view kEvidence[] = {
    "measured: TensorRT-RTX 1.7.1 does not build it, nor do 1.5.0 and 1.6.1 where they were asked (the grid of control "
    "flow)",
};
constexpr std::string_view kMessages[] = {
    "Data-dependent shapes are only allowed in the top-level scope",
    "Assertion t->graph.shapeContext.isProxy(*xs) failed",
};

}  // namespace

extern constinit const Rule rule{
    .code = "CTL106",
    .name = "two-sizes-in-body",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "inside of a loop or a branch, a tensor of one of two sizes",
    .docs = R"(## What it checks
An If whose condition is known only at run time, and whose branches return different sizes: where it is inside of a Loop or a Scan and its condition or its data change with the
iteration; and where its result is used inside of a loop so that a tensor of unknown size remains there, is carried by a loop, or is read in a branch of another If. An If in a branch of an
If is [CTL104](sizes-differ-in-nested-if.md).

## Why TensorRT cares
The size is decided while the engine runs. The builder accepts this in the main graph only. What is the same in every iteration is moved out of the loop, and is built: a `relu`
of the result, or its sum, as long as nothing that changes with the iteration is combined with it.

## Example
```onnx target=11.5
agraph (float[5,4] x, float[4] first) => (float[4] y)
<int64 count = {3}, bool go = {1}, int64[1] zero = {0}, int64[1] one = {1}, int64 unit = {1}> {
  y = Loop (count, go, first) <body = body (int64 i, bool c, float[4] v) => (bool d, float[4] w) {
    d = Identity (c)
    late = Greater (i, unit)
    part = If (late) <
      then_branch = then_graph () => (float[A,4] p) { p = Relu (x) },
      else_branch = else_graph () => (float[B,4] q) { q = Slice (x, zero, one, zero) }
    >
    sum = ReduceSum <keepdims = 0> (part, zero)
    w = Add (v, sum)
  }>
}
```

## Instead
```onnx target=11.5
agraph (float[5,4] x, float[4] first) => (float[4] y)
<int64 count = {3}, bool go = {1}, int64[1] zero = {0}, int64[1] one = {1}, int64 unit = {1}> {
  y = Loop (count, go, first) <body = body (int64 i, bool c, float[4] v) => (bool d, float[4] w) {
    d = Identity (c)
    late = Greater (i, unit)
    sum = If (late) <
      then_branch = then_graph () => (float[4] p) { p = ReduceSum <keepdims = 0> (x, zero) },
      else_branch = else_graph () => (float[4] q) { part = Slice (x, zero, one, zero)  q = ReduceSum <keepdims = 0> (part, zero) }
    >
    w = Add (v, sum)
  }>
}
```

## Fix
Give both branches one size: pad the smaller one and mask what does not count, or move what makes the sizes equal (a sum, a mean) into the branches.

## Evidence
Measured with TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1. Nothing is known of releases before 10.16, where it is a warning.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .refused_by = RefusedBy::kernels,
    .check = check,
    .gates = {gates::sizes_of_branches_measured},
};

}  // namespace trtcheck::rules::two_sizes_in_body
