#include <algorithm>
#include <array>
#include <set>
#include <string>

#include <fmt/core.h>

#include "model/graphs.hpp"
#include "rules/ops/functions.hpp"
#include "rules/rule_context.hpp"
#include "schema/facts.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::function_attribute_lost {
namespace {

/// Lists that the importers read as sizes of a window, which they do not look up in the call.
bool is_of_window(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNames{"strides", "dilations", "kernel_shape", "output_padding"};
  return std::ranges::find(kNames, name) != kNames.end();
}

/// What is read in place of a value of these kinds is the same.
bool is_zero(const Attribute& attribute) {
  switch (attribute.type) {
    case AttributeType::int_:
      return attribute.i() == 0;
    case AttributeType::float_:
      return attribute.f() == 0;
    case AttributeType::string:
      return attribute.s().empty();
    default:
      return false;
  }
}

/// The value is the one that holds when there is none.
bool is_usual(const Attribute& attribute) {
  const std::int64_t usual = attribute.name == "output_padding" ? 0 : 1;
  return attribute.name != "kernel_shape" &&
         std::ranges::all_of(attribute.ints(), [&](std::int64_t value) { return value == usual; });
}

/// Their importers compare it with the weights or the rank.
bool needs_kernel_shape(const Node& node) {
  constexpr std::array<std::string_view, 4> kOps{"AveragePool", "Conv", "ConvTranspose", "MaxPool"};
  return std::ranges::find(kOps, node.op_type) != kOps.end();
}

bool is_required(const RuleContext& context, NodeId id, std::string_view name) {
  const Node& node = context.model().node(id);
  const auto* facts = schema::schema_facts(node.domain(), node.op_type, context.view().operators.opset(id));
  if (facts == nullptr) return false;
  return std::ranges::any_of(facts->attributes, [&](const auto& each) { return each.name == name && each.required; });
}

/// The call that fills in the attributes of the node.
const Node& call_of(const Model& model, const Node& node) {
  return model.node(model.graph(graph_around(model, node.graph)).parent);
}

/// The call, itself in a function, hands on an attribute of its caller.
bool is_handed_on(const Model& model, NodeId id, std::string_view name) {
  const NodeId call = model.graph(model.node(id).graph).parent;
  const NodeId written = definition_of(model, call);
  if (!written) return false;
  const Attribute* given = model.node(written).attribute(name);
  return given != nullptr && !given->ref_attr_name.empty();
}

struct Lost {
  std::string why;  ///< "" = it is read
  Severity severity = Severity::warning;
  Certainty certainty = Certainty::likely;
};

Lost lost(const RuleContext& context, NodeId id, const Attribute& reference) {
  const Model& model = context.model();
  const Node& node = model.node(id);
  const Attribute* value = node.attribute(reference.name);
  const bool in_body = model.graph(node.graph).kind == Graph::Kind::body;
  if (value == nullptr) {
    if (is_required(context, id, reference.name)) return {};  // missing-attribute
    return {.why = "the call does not give it: {} reads 0 or nothing, not the default of ONNX",
            .certainty = Certainty::possible};
  }
  if (is_of_window(reference.name)) {
    if (is_usual(*value)) return {};
    if (reference.name == "kernel_shape" && needs_kernel_shape(node))
      return {.why = "{} does not look up sizes of windows in the call, and finds none", .severity = Severity::error};
    return {.why = "{} does not look up sizes of windows in the call, and uses the default"};
  }
  if (is_zero(*value)) return {};
  if (in_body && context.has(gates::function_attributes_not_in_bodies))
    return {.why =
                "the node stands in a branch or body, where {} does not look at the call: it reads 0 or "
                "nothing"};
  if (!in_body && is_handed_on(model, id, reference.ref_attr_name))
    return {.why = "the call has it from a call further out, where {} does not look: it reads 0 or nothing"};
  return {};
}

void check(RuleContext& context) {
  const Model& model = context.model();
  if (model.functions().empty() || !context.has(gates::local_functions)) return;
  std::set<std::pair<NodeId, std::string_view>> told;
  for (const NodeId id : context.nodes()) {
    const NodeId written = definition_of(model, id);
    if (!written) continue;
    for (const Attribute& reference : model.node(written).attributes()) {
      if (reference.ref_attr_name.empty()) continue;
      const Lost answer = lost(context, id, reference);
      if (answer.why.empty() || !told.emplace(written, reference.name).second) continue;
      const Node& node = model.node(id);
      context
          .add(id, fmt::format("`{}` of {} `{}` is attribute `{}` of function `{}`; {}", reference.name, node.op_type,
                               context.label(id), reference.ref_attr_name, call_of(model, node).op_type,
                               fmt::format(fmt::runtime(answer.why), context.release().name())))
          .severity(answer.severity)
          .certainty(answer.certainty)
          .fix("inline the functions, for instance with onnx.inliner.inline_local_functions");
    }
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt OnnxAttrs.cpp get, 10.10",
                                          "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1"};
constexpr std::string_view kMessages[] = {"The attribute kernel_shape misaligns with the shape of the input tensor",
                                          "The input tensor shape misaligns with the input kernel shape"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS110",
    .name = "function-attribute-lost",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an attribute of a model-local function that does not reach the node inside",
    .docs = R"(## What it checks
Nodes inside model-local functions whose attributes refer to an attribute of the function.

## Why TensorRT cares
TensorRT keeps the functions and looks references up while it imports the body. It finds numbers, texts, tensors and most
lists. It does not find

- `strides`, `dilations`, `kernel_shape` and `output_padding` of convolutions and pools: the default is taken, and without a
  kernel shape the node is refused,
- what the call has from a call further out,
- what the call does not give and the function has no default for: 0 or nothing is read, not the default of ONNX,
- from 10.6 on, anything in a branch of an If or in a body of a Loop or Scan inside the function.

Nothing is printed; the engine computes something else, unless the sizes no longer fit.

## Example
```onnx
<ir_version: 10, opset_import: ["" : 17, "m" : 1]>
agraph (float[N,2,8,8] x) => (float[N,2,4,4] y) {
  y = m.Halve <step = [2,2]> (x)
}
<domain: "m", opset_import: ["" : 17]>
Halve <step> (a) => (b) { b = MaxPool <kernel_shape = [2,2], strides : ints = @step> (a) }
```

## Instead
```onnx
<ir_version: 10, opset_import: ["" : 17, "m" : 1]>
agraph (float[N,2,8,8] x) => (float[N,2,4,4] y) {
  y = m.Halve (x)
}
<domain: "m", opset_import: ["" : 17]>
Halve (a) => (b) { b = MaxPool <kernel_shape = [2,2], strides = [2,2]> (a) }
```

## Fix
Inline the functions before converting: `onnx.inliner.inline_local_functions(model)`.

## Evidence
onnx-tensorrt `OnnxAttrs.cpp`, read at 10.10. Seen with TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1, where `pads` and `perm` are found.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::function_attributes_not_in_bodies, gates::local_functions},
};

}  // namespace trtcheck::rules::function_attribute_lost
