#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::nesting_too_deep {
namespace {

// Measured: protobuf's default depth limit of 100 lets 34 nested graphs pass and refuses 35.
constexpr std::uint32_t kProtobufLevels = 34;
// onnx-tensorrt ModelImporter.cpp, parseNode, 10.0 on: subgraphs and function calls together.
constexpr std::uint32_t kParserLevels = 24;

/// The node of the main graph that contains it.
NodeId outermost(const Model& model, NodeId id) {
  while (true) {
    const NodeId parent = model.graph(model.node(id).graph).parent;
    if (!parent) return id;
    id = parent;
  }
}

void check(RuleContext& context) {
  const Model& model = context.model();
  if (model.graph_depth() > kProtobufLevels) {
    context
        .add_model(fmt::format("graphs are nested {} deep, the protobuf reader of TensorRT stops at {}",
                               model.graph_depth(), kProtobufLevels))
        .fix("flatten the nested branches and loops");
    return;
  }
  if (!context.has(gates::nesting_counted)) return;
  for (NodeId id : context.nodes()) {
    const std::uint32_t depth = model.graph(model.node(id).graph).depth;
    if (depth <= kParserLevels) continue;
    const NodeId outer = outermost(model, id);
    context
        .add(outer, fmt::format("inside `{}`, {} `{}` stands {} levels deep in branches, bodies and functions, {} "
                                "reads {}",
                                context.label(outer), model.node(id).op_type, context.label(id), depth,
                                context.release().name(), kParserLevels))
        .fix("flatten the nested branches, loops and functions");
    return;
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt ModelImporter.cpp parseNode, 10.10: `ONNX graph contains nested structures that exceed the maximum`",
    "protobuf default recursion limit of 100, measured: 34 nested graphs are read, 35 are not"};
constexpr std::string_view kMessages[] = {"ONNX graph contains nested structures that exceed the maximum"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL112",
    .name = "nesting-too-deep",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "graphs nested deeper than TensorRT reads",
    .docs = R"(## What it checks
How deep branches, loop bodies and (from 10.0) model-local functions are nested. One finding per model.

## Why TensorRT cares
The protobuf reader refuses a file with more than 34 nested graphs. From 10.0 the parser itself stops at 24 levels, function
calls counted.

## Example
```onnx
<ir_version: 10, opset_import: ["" : 17, "d" : 1]>
agraph (float[N] x) => (float[N] y) {
  y = d.F1 (x)
}
<domain: "d", opset_import: ["" : 17, "d" : 1]> F1 (a) => (b) { b = d.F2 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F2 (a) => (b) { b = d.F3 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F3 (a) => (b) { b = d.F4 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F4 (a) => (b) { b = d.F5 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F5 (a) => (b) { b = d.F6 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F6 (a) => (b) { b = d.F7 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F7 (a) => (b) { b = d.F8 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F8 (a) => (b) { b = d.F9 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F9 (a) => (b) { b = d.F10 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F10 (a) => (b) { b = d.F11 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F11 (a) => (b) { b = d.F12 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F12 (a) => (b) { b = d.F13 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F13 (a) => (b) { b = d.F14 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F14 (a) => (b) { b = d.F15 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F15 (a) => (b) { b = d.F16 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F16 (a) => (b) { b = d.F17 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F17 (a) => (b) { b = d.F18 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F18 (a) => (b) { b = d.F19 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F19 (a) => (b) { b = d.F20 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F20 (a) => (b) { b = d.F21 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F21 (a) => (b) { b = d.F22 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F22 (a) => (b) { b = d.F23 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F23 (a) => (b) { b = d.F24 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F24 (a) => (b) { b = d.F25 (a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]> F25 (a) => (b) { b = Relu (a) }
```

## Instead
```onnx
agraph (bool c, float[N] x) => (float[N] y) {
  y = If (c) <
    then_branch = then_graph () => (float[N] t) { t = Relu (x) },
    else_branch = else_graph () => (float[N] t) { t = Neg (x) }
  >
}
```

## Fix
Flatten the control flow.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, `parseNode`, 10.0 to 10.10; the protobuf limit was measured.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::nesting_counted},
};

}  // namespace trtcheck::rules::nesting_too_deep
