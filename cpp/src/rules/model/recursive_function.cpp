#include <fmt/core.h>

#include "rules/model/defects.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::recursive_function {
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

constexpr std::string_view kEvidence[] = {"onnx-tensorrt LocalFunctionImporter and static checks of functions, 10.10",
                                          "measured: TensorRT-RTX 1.5.0, 1.6.1, 1.7.1"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL111",
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
The parser expands functions where they are called. From 10.0 on its static checks walk into the bodies first and have no bound:
the process ends by stack overflow, without a message. Before, the expansion itself does not stop.

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
onnx-tensorrt `LocalFunctionImporter` and the static checks (read at 10.10). TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 (of the branches 11.0 to
11.4) crash on the example.
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules::recursive_function
