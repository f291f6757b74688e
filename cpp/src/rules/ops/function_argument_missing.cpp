#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "view/dispatch.hpp"

namespace trtcheck::rules::function_argument_missing {
namespace {

void check(RuleContext& context) {
  const Model& model = context.model();
  for (NodeId id : context.nodes()) {
    if (context.view().handler(id) != Handler::function) continue;
    const Node& node = model.node(id);
    const std::size_t wanted = model.graph(node.call()).inputs.size();
    if (node.inputs.size() != wanted) {
      context
          .add(id,
               fmt::format("the call of function `{}` has {} inputs, the function has {}: TensorRT requires as many",
                           node.op_type, node.inputs.size(), wanted))
          .fix("pass every argument, or inline the function");
      continue;
    }
    for (std::size_t i = 0; i < wanted; ++i) {
      if (node.inputs[i]) continue;
      context
          .add(id, fmt::format("the call of function `{}` leaves out input {}, TensorRT looks up the empty name",
                               node.op_type, i))
          .fix("pass every argument, or inline the function");
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp LocalFunctionImporter, 10.10: `LocalFunction has an unexpected number of "
    "inputs!`"};
constexpr std::string_view kMessages[] = {"LocalFunction has an unexpected number of inputs!"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS108",
    .name = "function-argument-missing",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a call of a model-local function that leaves out an argument",
    .docs = R"(## What it checks
Every call of a model-local function passes as many inputs as the function has, and none of them is left out.

## Why TensorRT cares
ONNX lets a call drop optional inputs. The parser compares the numbers (`LocalFunction has an unexpected number of inputs!`) and
looks every name up, the empty one as well.

## Example
```onnx
<ir_version: 10, opset_import: ["" : 17, "m" : 1]>
agraph (float[N,3] x) => (float[N,3] y) {
  y = m.Limit (x)
}
<domain: "m", opset_import: ["" : 17]>
Limit (a, low) => (b) { b = Clip (a, low) }
```

## Instead
```onnx
<ir_version: 10, opset_import: ["" : 17, "m" : 1]>
agraph (float[N,3] x, float z) => (float[N,3] y) {
  y = m.Limit (x, z)
}
<domain: "m", opset_import: ["" : 17]>
Limit (a, low) => (b) { b = Clip (a, low) }
```

## Fix
Pass every argument, or inline the function before converting.

## Evidence
onnx-tensorrt `onnxOpImporters.cpp`, `LocalFunctionImporter` (9.0 to 10.10).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::function_argument_missing
