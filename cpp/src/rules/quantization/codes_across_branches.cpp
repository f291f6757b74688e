#include <algorithm>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/reads.hpp"

namespace trtcheck::rules::codes_across_branches {
namespace {

/// The branch of an If that the graph is, or lies in by loops and calls alone; none: the graph is part of the network
/// itself.
GraphId branch_of(const Model& model, GraphId graph) {
  while (graph != GraphId{0}) {
    const NodeId parent = model.graph(graph).parent;
    if (!parent || model.node(parent).op_type == "If") return graph;
    graph = model.node(parent).graph;
  }
  return graph;
}

bool is_fp8(DataType type) { return type == DataType::float8e4m3fn; }

/// The first DequantizeLinear that reads the value in another branch that may be taken, of those that come before `id`.
NodeId elsewhere(RuleContext& context, ValueId value, NodeId id) {
  const Model& model = context.model();
  const GraphId here = branch_of(model, model.node(id).graph);
  for (const Use& use : model.value(value).users) {
    if (use.node == id) break;
    const Node& user = model.node(use.node);
    const bool is_elsewhere =
        use.input == 0 && user.op_type == "DequantizeLinear" && branch_of(model, user.graph) != here;
    if (is_elsewhere && std::ranges::find(context.nodes(), use.node) != context.nodes().end()) return use.node;
  }
  return NodeId{};
}

void tell_constant(RuleContext& context, ValueId codes, NodeId other) {
  context
      .add(fmt::format("the quantized constant `{}` is dequantized here and in another branch: {} accepts only one of "
                       "the two",
                       context.name(codes), context.release().name()))
      .value(context.name(codes))
      .reason("quantized constants shared by branches")
      .note(fmt::format("the other one is `{}` in {}", context.label(other),
                        context.model().graph_path(context.model().node(other).graph)),
            other)
      .fix("dequantize it once in front of the If, or store it once for each branch");
}

void tell_computed(RuleContext& context, ValueId codes) {
  context
      .add(fmt::format("`{}` is FP8, made outside of this branch and dequantized in it: {} requires its "
                       "DequantizeLinear on the same side of the If",
                       context.name(codes), context.release().name()))
      .value(context.name(codes))
      .reason("FP8 that is dequantized in a branch")
      .fix("dequantize it in front of the If");
}

void check(RuleContext& context) {
  if (!context.has(gates::quantized_constants_before_dequantize)) return;
  const Model& model = context.model();
  const Node& node = context.node();
  const ValueId codes = node.input(0);
  if (!codes) return;
  const DataType type = context.shapes()[codes].type;
  if (model.constant(codes)) {
    if (type != DataType::int8 && !is_fp8(type)) return;
    if (type == DataType::int8 && !is_needed(model, context.node_id(), Reads::anything)) return;  // measured
    if (const NodeId other = elsewhere(context, codes, context.node_id())) tell_constant(context, codes, other);
    return;
  }
  if (is_fp8(type) && branch_of(model, model.value(codes).graph) != branch_of(model, node.graph)) {
    tell_computed(context, codes);
  }
}

constexpr std::string_view kOps[] = {"DequantizeLinear"};
constexpr std::string_view kEvidence[] = {"https://github.com/NVIDIA/TensorRT/issues/3919, of 10.0.1",
                                          "measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1 refuse it"};
constexpr std::string_view kMessages[] = {"is only allowed before DQ or PLUGIN_V2", "is not consumed by IPluginLayer"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ229",
    .name = "codes-across-branches",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "quantized weights that two branches share, or FP8 that a branch dequantizes",
    .docs = R"(## What it checks
From 10.0 on, an If whose condition is not known: constants of INT8 or FP8 that are dequantized in two branches, or in a branch and outside of it;
FP8 data that comes from outside of the branch in which it is dequantized. Loops do not count as branches, and neither do calls of functions.

## Why TensorRT cares
The builder looks for a DequantizeLinear directly after each quantized constant, and for FP8 after each tensor. With two readers in
different branches it does not see one: `Quantized constant (...) is only allowed before DQ or PLUGIN_V2`. The model is parsed, and the build stops.
Weights that both branches share, as in an encoder that runs with or without a cache, are the common form.

## Example
```onnx target=11.1 opset=17
agraph (bool cached, float[N,2] x) => (float[N,2] y)
<int8[2,2] w = {1,2,3,4}, float s = {0.5}> {
  y = If (cached) <
    then_branch = a () => (float[N,2] p) { d = DequantizeLinear(w, s) p = Max(x, d) },
    else_branch = b () => (float[N,2] q) { e = DequantizeLinear(w, s) r = Max(x, e) q = Relu(r) }
  >
}
```

## Instead
```onnx target=11.1 opset=17
agraph (bool cached, float[N,2] x) => (float[N,2] y)
<int8[2,2] w = {1,2,3,4}, float s = {0.5}> {
  d = DequantizeLinear(w, s)
  y = If (cached) <
    then_branch = a () => (float[N,2] p) { p = Max(x, d) },
    else_branch = b () => (float[N,2] q) { r = Max(x, d) q = Relu(r) }
  >
}
```

## Fix
Dequantize in front of the If, or give each branch its own copy.

## Evidence
Shared by both branches, by a branch and the network, by branches of two Ifs, of an If in an If, and of an If in a Loop: refused by TensorRT-RTX
1.5.0, 1.6.1 and 1.7.1, the Example by 1.4.0. Shared by two loops, by two nodes of one branch, read in one branch only, or the condition a constant: built.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .refused_by = RefusedBy::builder,
    .check = check,
    .gates = {gates::quantized_constants_before_dequantize},
};

}  // namespace trtcheck::rules::codes_across_branches
