#include <fmt/format.h>

#include "rules/model/defects.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

void check(RuleContext& context) {
  for (const Defect& defect : reached_defects(context, Defect::Kind::recursive_function)) {
    const std::string_view name = context.model().node(defect.node).op_type;
    context.add(defect.node, fmt::format("the call of function `{}` leads back to `{}` itself", name, name))
        .fix("remove the recursion: ONNX functions must not call themselves");
  }
  for (const Defect& defect : reached_defects(context, Defect::Kind::expansion_limit)) {
    context
        .add(defect.node,
             fmt::format("the body of `{}` was not entered: the functions of the model expand to too many nodes",
                         context.model().node(defect.node).op_type))
        .severity(Severity::warning)
        .note("what stands in that body was not checked");
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt ModelImporter.cpp parseNode, 10.10: `ONNX graph contains nested structures that exceed the "
    "maximum`"};

}  // namespace

extern constinit const Rule recursive_function{.code = "MDL111",
                                               .name = "recursive-function",
                                               .since = "0.1.0",
                                               .severity = Severity::error,
                                               .certainty = Certainty::likely,
                                               .fix = Applicability::display,
                                               .summary = "a model-local function that calls itself",
                                               .docs = R"(## What it checks
No model-local function calls itself, directly or through another one. Also says where function bodies were not entered
because the model would grow beyond the limit of nodes.

## Why TensorRT cares
The parser expands functions where they are called. It stops at 24 nested levels from 10.0 on; before, it does not stop.

## Example
```onnx
<ir_version: 10, opset_import: ["" : 17, "my.ops" : 1]>
agraph (float[N,3] x) => (float[N,3] y) {
  y = my.ops.Spin (x)
}
<domain: "my.ops", opset_import: ["" : 17, "my.ops" : 1]>
Spin (a) => (b) {
  c = Relu (a)
  b = my.ops.Spin (c)
}
```

## Instead
```onnx
<ir_version: 10, opset_import: ["" : 17, "my.ops" : 1]>
agraph (float[N,3] x) => (float[N,3] y) {
  y = my.ops.Spin (x)
}
<domain: "my.ops", opset_import: ["" : 17]>
Spin (a) => (b) {
  b = Relu (a)
}
```

## Fix
Remove the recursion.

## Evidence
onnx-tensorrt `LocalFunctionImporter` and the limit in `ModelImporter.cpp`, `parseNode` (read at 10.10; a recursive
model was not run).
)",
                                               .evidence = kEvidence,
                                               .check = check};

}  // namespace trtcheck::rules
