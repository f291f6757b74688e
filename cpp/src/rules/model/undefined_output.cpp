#include <fmt/core.h>

#include "rules/model/defects.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::undefined_output {
namespace {

void check(RuleContext& context) {
  for (const Defect& defect : reached_defects(context, Defect::Kind::undefined_output)) {
    const std::string_view name = context.name(defect.value);
    const NodeId parent = context.model().graph(defect.graph).parent;
    context
        .add(parent, fmt::format("output `{}` of graph `{}` is produced by no node, initializer or input", name,
                                 context.model().graph_path(defect.graph)))
        .value(name)
        .fix(fmt::format("remove the output `{}`, or name the tensor that is meant", name));
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt ModelImporter.cpp importModel, 10.10: `Trying to access weights or a null tensor!`"};
constexpr std::string_view kMessages[] = {"Trying to access weights or a null tensor!"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL104",
    .name = "undefined-output",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a graph output that nothing produces",
    .docs = R"(## What it checks
Every output of the graph, and of every branch, body and function that is used, is produced in it.

## Why TensorRT cares
The parser reserves the name and finds no tensor for it: `Trying to access weights or a null tensor!` from 10.0 on, older
releases may crash.

## Example
```onnx
agraph (float[N,3] x) => (float[N,3] yy) {
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
Name a tensor that exists, or remove the output.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, `importModel` (read at 10.10), `LocalFunctionImporter` for functions.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::undefined_output
