#include <algorithm>

#include <fmt/core.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules::claim_mismatch {
namespace {

bool is_output(const Model& model, ValueId id) {
  const NodeId producer = model.value(id).producer;
  const auto outputs = model.graph(producer ? model.node(producer).graph : GraphId{0}).outputs;
  return std::ranges::find(outputs, id) != outputs.end();
}

void check(RuleContext& context) {
  const Model& model = context.model();
  for (const Shapes::ClaimMismatch& mismatch : context.shapes().mismatches()) {
    const Value& value = model.value(mismatch.value);
    FindingBuilder finding = context.add(value.producer, mismatch.message);
    if (!value.producer) {
      finding.value(value.name)
          .note("TensorRT reads the initializer, and makes no input of it")
          .fix(fmt::format("declare `{}` as what is stored, ONNX Runtime may refuse the model otherwise", value.name));
      continue;
    }
    finding.value(value.name)
        .note("TensorRT does not read declared shapes of intermediate tensors and outputs")
        .fix(is_output(model, mismatch.value)
                 ? fmt::format("declare output `{}` as what is computed", value.name)
                 : fmt::format("remove the value_info of `{}`, onnx.shape_inference keeps one that is there",
                               value.name));
    // What stands behind the claim may be our own reading of a broken node: let the node's finding lead.
    finding.caused_by(value.producer);
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ModelImporter.cpp importModel, 10.10"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL320",
    .name = "claim-mismatch",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a declared shape or type that cannot be right",
    .docs = R"(## What it checks
Shapes and types that the file declares for intermediate tensors and outputs, against what follows from the nodes; those
of inputs and value_info that have an initializer, against what it stores. Only
what is proved to differ is reported; another name for a dim is no contradiction.

## Why TensorRT cares
TensorRT computes its own shapes. But a wrong declaration shows that the model was edited without being checked, and other tools
believe it.

## Example
```onnx
agraph (float[N,3] x) => (float[N,4] y) {
  y = Relu (x)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Fix
Remove the declarations of intermediate tensors, correct those of outputs, then infer the shapes again: `onnx.shape_inference`
keeps what is declared, also where it is wrong.

## Evidence
onnx-tensorrt `ModelImporter.cpp`: `value_info` is not read (8.0 to 11.0).
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules::claim_mismatch
