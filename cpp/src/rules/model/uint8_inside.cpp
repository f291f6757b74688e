#include <algorithm>

#include <fmt/core.h>

#include "model/attributes.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
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

/// An input of the network that goes into something else than a conversion.
bool tell_reader(RuleContext& context, NodeId id) {
  const Node& node = context.model().node(id);
  if (is_taken(context, node) || (node.inputs.size() == 1 && is_a(node.op_type, kinds::joins_any_number))) return false;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId input = context.view().parser.argument(node.inputs[i]);
    if (!input || !context.model().is_network_input(input) || !is_uint8(context, input)) continue;
    context
        .add(id, fmt::format("input {} `{}` of {} is UINT8, which {} only converts", i, context.name(input),
                             node.op_type, context.release().name()))
        .value(context.name(input))
        .fix(fmt::format("cast `{}` to FLOAT before the node", context.name(input)));
    return true;
  }
  return false;
}

/// Made by a Cast, or an input of the network under another name. What follows from constants is INT32 in the network,
/// and codes are the business of the rules about quantization.
bool makes_uint8(const RuleContext& context, const Node& node) {
  if (node.op_type == "Cast" || node.op_type == "CastLike") return true;
  if (node.op_type != "Identity" && node.op_type != "Flatten") return false;
  const ValueId input = context.view().parser.argument(node.input(0));
  return input && context.model().is_network_input(input);
}

/// A result that is no output of the network.
void tell_writer(RuleContext& context, NodeId id) {
  const Node& node = context.model().node(id);
  const ValueId output = node.output(0);
  if (!output || !is_uint8(context, output) || !makes_uint8(context, node)) return;
  const Value& value = context.model().value(output);
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
};
constexpr std::string_view kMessages[] = {"TensorRT does not support UINT8 types for intermediate tensors",
                                          "Found unsupported input type of UINT8",
                                          "first input has type UInt8 but must have type *"};

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

## Why TensorRT cares
UINT8 is a type of the network's inputs and outputs, from 8.5 on. Layers do not compute in it, not even Transpose, Slice or
Reshape. Shape, Size, Equal, Identity, Dropout, a Flatten that changes nothing and an exponent of Pow were seen to build.

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
Header of the releases; the test in the parser. More than 40 operators with a UINT8 input were tried with TensorRT-RTX.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::uint8_network, gates::uint8_results_refused},
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::uint8_inside
