#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "schema/facts.hpp"

namespace trtcheck::rules::operator_newer_than_opset {
namespace {

/// The opset that the operator came with; 0: nobody knows it.
std::int32_t came_with(std::string_view op) {
  std::int32_t first = 0;
  for (const schema::SchemaFacts& facts : schema::all_facts()) {
    if (facts.domain.empty() && facts.op == op && (first == 0 || facts.since < first)) first = facts.since;
  }
  return first;
}

void check(RuleContext& context) {
  for (const NodeId id : context.nodes()) {
    const Node& node = context.model().node(id);
    if (!node.domain().empty() || node.call() || context.operator_of(id).schema != nullptr) continue;
    const auto opset = context.model().opset(node.graph);
    const std::int32_t first = came_with(node.op_type);
    if (!opset || first == 0 || first <= *opset) continue;
    const Support support = context.view().support(id);
    if (support != Support::supported && support != Support::experimental) continue;
    context
        .add(id, fmt::format("{} `{}` came with opset {} of ONNX, the model imports opset {}", node.op_type,
                             context.label(id), first, *opset))
        .reason("an operator of a newer opset")
        .note("what comes out of it is not known, nor what follows from it")
        .fix(fmt::format("import opset {} or newer: with `onnx.version_converter`, or by exporting the model again",
                         first));
  }
}

constexpr std::string_view kEvidence[] = {
    "ONNX operator schemas", "onnx-tensorrt onnxOpImporters.cpp, 10.10: importers are found by name, at any opset"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS112",
    .name = "operator-newer-than-opset",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "an operator that does not exist yet at the opset of the model",
    .docs = R"(## What it checks
Operators of the ONNX domain that TensorRT has, in models that import an opset from before they came.

## Why TensorRT cares
Importers are found by name, whatever the opset: many such models are taken. But below opset 7 operands are fitted in an older way, which
refuses Where, Mod, GreaterOrEqual and LessOrEqual; and attributes and inputs are read as the opset says, where importers ask. `onnx.checker`
refuses such models, and ONNX does not say what they mean.

## Example
```onnx opset=11
agraph (float[N,3] x, float[N,3] z) => (bool[N,3] y) {
  y = GreaterOrEqual(x, z)
}
```

## Instead
```onnx opset=12
agraph (float[N,3] x, float[N,3] z) => (bool[N,3] y) {
  y = GreaterOrEqual(x, z)
}
```

## Fix
Import the opset that the operator came with, or a newer one.

## Evidence
Schemas of the onnx library; onnx-tensorrt `onnxOpImporters.cpp` (8.0 to 10.10).
)",
    .evidence = kEvidence,
    .check = check,
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::operator_newer_than_opset
