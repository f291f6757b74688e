#include <fmt/format.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

void check(RuleContext& context) {
  const auto imports = context.model().opset_imports();
  if (imports.empty()) {
    context.add_model("the model imports no opset, TensorRT takes it for opset 1")
        .severity(Severity::warning)
        .note("most importers then read attributes of a form that no exporter has written for years")
        .fix("set opset_import to the opset that the model was exported with");
    return;
  }
  if (context.model().opset(GraphId{0})) return;
  if (imports.size() == 1) {
    context
        .add_model(fmt::format("the only opset is version {} of domain `{}`, TensorRT takes it for the opset of ONNX",
                               imports[0].version, imports[0].domain))
        .severity(Severity::warning)
        .fix("add the opset of the ONNX domain that the model was exported with");
    return;
  }
  context
      .add_model(fmt::format("{} opsets are imported and none is that of ONNX, TensorRT fails on the first node",
                             imports.size()))
      .fix("add the opset of the ONNX domain that the model was exported with");
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ImporterContext.hpp getOpsetVersion, 10.10"};

}  // namespace

extern constinit const Rule opset_missing{.code = "OPS203",
                                          .name = "opset-missing",
                                          .since = "0.1.0",
                                          .severity = Severity::error,
                                          .certainty = Certainty::likely,
                                          .fix = Applicability::display,
                                          .summary = "no opset is imported for the domain of ONNX",
                                          .docs = R"(## What it checks
The model imports an opset for the domain of ONNX (`""` or `ai.onnx`).

## Why TensorRT cares
Without any import the parser counts the model as opset 1. With exactly one import of another domain it uses that version
as the ONNX opset. With several, none of them ONNX's, the lookup fails.

## Example
```onnx
<ir_version: 10, opset_import: ["my.ops" : 1, "other.ops" : 1]>
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Instead
```onnx
<ir_version: 10, opset_import: ["" : 17, "my.ops" : 1]>
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Fix
Add the opset that the model was exported with.

## Evidence
onnx-tensorrt `ImporterContext.hpp`, `getOpsetVersion` (read at 10.10; a model without imports was run through the
parsers of 10.3 and 10.10).
)",
                                          .evidence = kEvidence,
                                          .check = check};

}  // namespace trtcheck::rules
