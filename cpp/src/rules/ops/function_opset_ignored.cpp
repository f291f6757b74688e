#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "rules/ops/functions.hpp"
#include "rules/rule_context.hpp"
#include "schema/facts.hpp"
#include "schema/kinds.hpp"
#include "view/dispatch.hpp"

namespace trtcheck::rules::function_opset_ignored {
namespace {

/// The importer of that opset finds something else in the node. Attributes that a later opset turned into inputs are
/// found in both places.
bool is_misread(const Node& node, const schema::SchemaFacts& meant, const schema::SchemaFacts* read) {
  if (read == nullptr) return true;
  if (node.inputs.size() > read->max_inputs) return true;
  return is_a(node.op_type, kinds::over_one_axis_since_13) && (meant.since < 13) != (read->since < 13);
}

/// The first node of the body that is another operator at the opset of the model; none: no difference is seen.
NodeId changed_node(const Model& model, GraphId body, std::int64_t own, std::int64_t of_model) {
  for (const NodeId id : model.graph(body).order) {
    const Node& node = model.node(id);
    if (!node.domain().empty() || node.call()) continue;
    const auto* meant = schema::schema_facts("", node.op_type, own);
    const auto* read = schema::schema_facts("", node.op_type, of_model);
    if (meant != nullptr && meant != read && is_misread(node, *meant, read)) return id;
  }
  return {};
}

void check(RuleContext& context) {
  const Model& model = context.model();
  const auto of_model = model.opset(GraphId{0});
  if (!of_model || model.functions().empty()) return;
  std::set<const Function*> told;
  for (const NodeId id : context.nodes()) {
    const Node& node = model.node(id);
    if (!node.call() || context.view().handler(id) != Handler::function) continue;
    const auto own = model.opset(node.call());
    if (!own || *own == *of_model || !told.insert(function_of(model, node)).second) continue;
    const NodeId changed = changed_node(model, node.call(), *own, *of_model);
    if (!changed) continue;
    context
        .add(changed,
             fmt::format("function `{}` is written for opset {}, TensorRT reads it as opset {} like the model: "
                         "{} is read in another way there",
                         node.op_type, *own, *of_model, model.node(changed).op_type))
        .fix("convert model and functions to one opset, or inline the functions");
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxOpImporters.cpp LocalFunctionImporter, 10.10",
                                          "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS111",
    .name = "function-opset-ignored",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a model-local function of another opset than the model",
    .docs = R"(## What it checks
Called functions that import another opset of ONNX than the model, and hold an operator that the opset of the model does not
have, that has different inputs there, or, as Softmax before opset 13, works along other axes.

## Why TensorRT cares
The opset of a function is not read; its nodes are imported as those of the model. Unsqueeze of opset 17 in a model of opset
11 is refused, because the axes are looked for in an attribute. The other way round, axes in an attribute where an input is
expected, it is taken.

## Example
```onnx
<ir_version: 10, opset_import: ["" : 11, "m" : 1]>
agraph (float[N,3] x) => (float[1,N,3] y) {
  y = m.Lift (x)
}
<domain: "m", opset_import: ["" : 17]>
Lift (a) => (b) {
  axes = Constant <value = int64[1] {0}> ()
  b = Unsqueeze (a, axes)
}
```

## Instead
```onnx
<ir_version: 10, opset_import: ["" : 17, "m" : 1]>
agraph (float[N,3] x) => (float[1,N,3] y) {
  y = m.Lift (x)
}
<domain: "m", opset_import: ["" : 17]>
Lift (a) => (b) {
  axes = Constant <value = int64[1] {0}> ()
  b = Unsqueeze (a, axes)
}
```

## Fix
Write model and functions for one opset.

## Evidence
onnx-tensorrt `onnxOpImporters.cpp`, `LocalFunctionImporter` (9.0 to 10.10); TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 refuse the
example.
)",
    .evidence = kEvidence,
    .check = check,
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::function_opset_ignored
