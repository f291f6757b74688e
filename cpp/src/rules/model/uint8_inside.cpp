#include <algorithm>

#include <fmt/core.h>

#include "model/attributes.hpp"
#include "rules/control/undecided.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/bodies.hpp"
#include "view/dispatch.hpp"

namespace trtcheck::rules::uint8_inside {
namespace {

/// Of the network itself; constants are read as INT32.
bool is_uint8(const RuleContext& context, ValueId id) {
  const ValueShape& shape = context.shape(id);
  return shape.kind == ValueShape::Kind::tensor && shape.type == DataType::uint8 && !shape.type_assumed &&
         context.view().parser.is_constant(id) == Truth::no;
}

bool has_uint8_input(const RuleContext& context) {
  return std::ranges::any_of(context.model().graph().inputs,
                             [&](ValueId id) { return context.model().is_network_input(id) && is_uint8(context, id); });
}

bool has_cast(const RuleContext& context) {
  return std::ranges::any_of(context.view().operators.all(),
                             [](const OperatorView& op) { return op.op_type == "Cast" || op.op_type == "CastLike"; });
}

/// A Flatten that has something to do is a reshape.
bool is_taken(const RuleContext& context, const Node& node) {
  if (node.op_type != "Flatten") return is_a(node.op_type, kinds::accepts_uint8);
  const ValueShape& shape = context.shape(node.input(0));
  if (!shape.has_rank) return true;
  const std::int64_t axis = int_attribute(node, "axis", 1);
  return shape.rank() == 2 && (axis == 1 || axis == -1);
}

/// The If with such a condition in a branch of which the graph lies, however deep; none: there is none.
NodeId chosen_around(const RuleContext& context, GraphId id) {
  const Model& model = context.model();
  while (model.graph(id).kind == Graph::Kind::body) {
    const NodeId parent = model.graph(id).parent;
    const Node& node = model.node(parent);
    if (node.op_type == "If" && has_computed_condition(model, node)) return parent;
    id = node.graph;
  }
  return {};
}

/// Even a branch that converts it gets a copy, and a copy is no input of the network.
void tell_branch(RuleContext& context, NodeId id, ValueId input, NodeId branch) {
  FindingBuilder finding =
      context.add(id, fmt::format("`{}` is a UINT8 input of the network, and {} in a branch of If `{}` reads it: {} "
                                  "copies it for the branch, and a copy of UINT8 is refused",
                                  context.name(input), context.model().node(id).op_type, context.label(branch),
                                  context.release().name()));
  finding.value(context.name(input))
      .certainty(Certainty::likely)
      .fix(fmt::format("cast `{}` to FLOAT before the If", context.name(input)));
  doubt_before_measured(context, finding);
}

/// An input of the network that goes into something else than a conversion.
bool tell_reader(RuleContext& context, NodeId id) {
  const Node& node = context.model().node(id);
  const bool is_taken_here =
      is_taken(context, node) || (node.inputs.size() == 1 && is_a(node.op_type, kinds::joins_any_number));
  const NodeId branch = chosen_around(context, node.graph);
  if (is_taken_here && !branch) return false;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId input = context.view().parser.argument(node.inputs[i]);
    if (!input || !context.model().is_network_input(input) || !is_uint8(context, input)) continue;
    if (is_taken_here) {
      tell_branch(context, id, input, branch);
      return true;
    }
    context
        .add(id, fmt::format("input {} `{}` of {} is UINT8, which {} only converts", i, context.name(input),
                             node.op_type, context.release().name()))
        .value(context.name(input))
        .fix(fmt::format("cast `{}` to FLOAT before the node", context.name(input)));
    return true;
  }
  return false;
}

/// Made by a Cast or chosen by an If, or an input of the network under another name. What follows from constants is
/// INT32 in the network, and codes are the business of the rules about quantization.
bool makes_uint8(const RuleContext& context, const Node& node) {
  if (node.op_type == "Cast" || node.op_type == "CastLike" || node.op_type == "If") return true;
  if (node.op_type != "Identity" && node.op_type != "Flatten") return false;
  const ValueId input = context.view().parser.argument(node.input(0));
  return input && context.model().is_network_input(input);
}

/// An output of a body is none of the network, unless its If has a constant condition.
bool leaves_body(const RuleContext& context, const Value& value) {
  const Graph& graph = context.model().graph(value.graph);
  if (!value.is_output || graph.kind != Graph::Kind::body) return false;
  const Node& holder = context.model().node(graph.parent);
  return holder.op_type != "If" || has_computed_condition(context.model(), holder);
}

/// A result that is no output of the network.
void tell_writer(RuleContext& context, NodeId id) {
  const Node& node = context.model().node(id);
  const ValueId output = node.output(0);
  if (!output || !is_uint8(context, output) || !makes_uint8(context, node)) return;
  const Value& value = context.model().value(output);
  if (leaves_body(context, value)) {
    const NodeId holder = context.model().graph(value.graph).parent;
    context
        .add(id, fmt::format("`{}` is UINT8 and a result of the body of {} `{}`: in {} only inputs and outputs of the "
                             "network have that type",
                             value.name, context.model().node(holder).op_type, context.label(holder),
                             context.release().name()))
        .value(value.name)
        .fix("return it in another type, and cast it to UINT8 behind the body, where it is an output of the network");
    return;
  }
  if (value.is_output || value.users.empty()) return;
  context
      .add(id, fmt::format("`{}` is UINT8 and read by other nodes: in {} only inputs and outputs of the network "
                           "have that type",
                           value.name, context.release().name()))
      .value(value.name)
      .fix(fmt::format("make `{}` INT32 or FLOAT, and cast to UINT8 at the output", value.name));
}

void check(RuleContext& context) {
  if (!context.has(gates::uint8_network)) return;
  const bool is_fed = has_uint8_input(context);
  // Nearly every model: there is no UINT8 to be found.
  if (!is_fed && !has_cast(context)) return;
  const bool refuses_results = context.has(gates::uint8_results_refused);
  for (const NodeId id : context.nodes()) {
    if (context.view().handler(id) != Handler::importer) continue;
    if (!(is_fed && tell_reader(context, id)) && refuses_results) tell_writer(context, id);
  }
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include, DataType::kUINT8, 8.5 to 11.1",
    "onnx-tensorrt ModelImporter.cpp parseNode, 8.6 to 10.10",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1, more than 40 operators",
    "measured: TensorRT-RTX 1.4.0 and 1.7.1, 32 forms of bodies",
};
constexpr std::string_view kMessages[] = {
    "TensorRT does not support UINT8 types for intermediate tensors", "Found unsupported input type of UINT8",
    "first input has type UInt8 but must have type *", "has datatype UINT8 but is not network-level IO"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL314",
    .name = "uint8-inside",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "UINT8 that is computed with, where TensorRT only converts it",
    .docs = R"(## What it checks
Inputs of the network that are UINT8 (camera images) go into Cast, and nothing else; and no node makes UINT8 that another
node reads. Constants do not count, TensorRT reads them as INT32. Codes of QuantizeLinear and DequantizeLinear have rules of
their own.

A UINT8 input that a branch of an If reads is found, whatever reads it, and so is UINT8 that a body returns. An If with a constant condition does not count.

## Why TensorRT cares
UINT8 is a type of the network's inputs and outputs, from 8.5 on. Layers do not compute in it, not even Transpose, Slice or
Reshape. Shape, Size, Equal, Identity, Dropout, a Flatten that changes nothing and an exponent of Pow were seen to build.
What a branch reads is copied for it, and a copy of UINT8 is refused even where a Cast reads it; what the body of a Loop reads is not copied.

## Example
```onnx
agraph (uint8[1,8,8,3] x) => (float[1,3,8,8] y) {
  t = Transpose <perm = [0, 3, 1, 2]> (x)
  y = Cast <to = 1> (t)
}
```

## Instead
```onnx
agraph (uint8[1,8,8,3] x) => (float[1,3,8,8] y) {
  t = Cast <to = 1> (x)
  y = Transpose <perm = [0, 3, 1, 2]> (t)
}
```

## Fix
Cast first: `x.float()` at the beginning of `forward`, before permute and slicing.

## Evidence
Header of the releases; the test in the parser. More than 40 operators with a UINT8 input, and 32 forms of bodies, were tried with TensorRT-RTX. Nothing is known of what a branch reads before 10.16, where it is
a warning.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::uint8_network, gates::uint8_results_refused, gates::sizes_of_branches_measured},
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::uint8_inside
