#include <fmt/core.h>

#include "rules/ops/kinds.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/dispatch.hpp"

namespace trtcheck::rules::function_unsupported {
namespace {

void check(RuleContext& context) {
  if (context.has(gates::local_functions) || !context.view().has(Handler::none)) return;
  FirstOfKind seen(context);
  for (NodeId id : context.nodes()) {
    if (context.view().handler(id) != Handler::none) continue;
    const Node& node = context.model().node(id);
    if (!node.call() || seen.is_repeat(id)) continue;
    context
        .add(id, fmt::format("`{}` is a function stored in the model, {} does not expand functions (the first "
                             "release that does is {})",
                             node.op_type, context.release().name(), to_string(gates::local_functions.from)))
        .fix("inline the functions, for instance with onnx.inliner.inline_local_functions");
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ModelImporter.cpp parseGraph, 8.6 and 9.0"};
constexpr std::string_view kMessages[] = {"Plugin not found, are the plugin name, version, and namespace correct?",
                                          "No importer registered for op: *",
                                          "getPluginCreator could not find plugin: *"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS106",
    .name = "function-unsupported",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a model-local function, which releases before 9.0 do not expand",
    .docs = R"(## What it checks
Calls of model-local functions when the target is older than 9.0. Exporters write functions for repeated modules, for
scripted operators and for custom translations.

## Why TensorRT cares
Releases before 9.0 read past the function list of the file: the call is an unknown operator, looked up as a plugin and not
found.

## Example
```onnx target=8.6
<ir_version: 10, opset_import: ["" : 17, "pkg.torch" : 1]>
agraph (float[N,3] x) => (float[N,3] y) {
  y = pkg.torch.Scale (x)
}
<domain: "pkg.torch", opset_import: ["" : 17]>
Scale (a) => (b) {
  b = Relu (a)
}
```

## Instead
```onnx target=8.6
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Fix
Inline the functions before converting: `onnx.inliner.inline_local_functions(model)`.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, 8.6 against 9.0.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::local_functions},
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::function_unsupported
