#include <set>

#include <fmt/core.h>

#include "rules/ops/functions.hpp"
#include "rules/rule_context.hpp"
#include "view/dispatch.hpp"

namespace trtcheck::rules::functions_share_a_name {
namespace {

/// "m::F", with the overload when there is one.
std::string full_name(const Function& function) {
  return function.overload.empty() ? fmt::format("{}::{}", function.domain, function.name)
                                   : fmt::format("{}::{}:{}", function.domain, function.name, function.overload);
}

void check(RuleContext& context) {
  const Model& model = context.model();
  std::set<const Function*> told;
  for (const NodeId id : context.nodes()) {
    const Node& node = model.node(id);
    if (!node.call() || context.view().handler(id) != Handler::function) continue;
    const Function* called = function_of(model, node);
    const Function* taken = first_of_name(model, node);
    if (called == taken || called == nullptr || !told.insert(called).second) continue;
    const std::size_t wanted = model.graph(taken->definition).inputs.size();
    FindingBuilder finding = context.add(
        id, fmt::format("`{}` calls function `{}`, TensorRT finds functions only by name and uses the first, `{}`",
                        context.label(id), full_name(*called), full_name(*taken)));
    finding.fix("inline the functions, or give each a name of its own");
    if (wanted == node.inputs.size()) {
      finding.severity(Severity::warning);
      continue;
    }
    finding.note(fmt::format("that one has {} inputs, the call passes {}", wanted, node.inputs.size()));
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ModelImporter.cpp importLocalFunctions, 10.10",
                                          "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 use the first"};
constexpr std::string_view kMessages[] = {"node.input().size() == function.input().size()"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS109",
    .name = "functions-share-a-name",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "two model-local functions of one name, of which TensorRT uses the first",
    .docs = R"(## What it checks
Calls of a model-local function before which the file has another one of the same name, in another domain or as another
overload.

## Why TensorRT cares
It stores functions by name only. The first of that name is expanded for every call, without a word; where the numbers of
inputs differ the call is refused. Exporters write overloads when one module is used in several forms.

## Example
```onnx
<ir_version: 10, opset_import: ["" : 17, "m" : 1, "n" : 1]>
agraph (float[N,3] x) => (float[N,3] y) {
  z = m.Act (x)
  y = n.Act (z)
}
<domain: "m", opset_import: ["" : 17]>
Act (a) => (b) { b = Relu (a) }
<domain: "n", opset_import: ["" : 17]>
Act (a) => (b) { b = Sigmoid (a) }
```

## Instead
```onnx
<ir_version: 10, opset_import: ["" : 17, "m" : 1, "n" : 1]>
agraph (float[N,3] x) => (float[N,3] y) {
  z = m.Act (x)
  y = n.Gate (z)
}
<domain: "m", opset_import: ["" : 17]>
Act (a) => (b) { b = Relu (a) }
<domain: "n", opset_import: ["" : 17]>
Gate (a) => (b) { b = Sigmoid (a) }
```

## Fix
Inline the functions before converting (`onnx.inliner.inline_local_functions(model)`), or rename one.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, `importLocalFunctions` (9.0 to 10.10); seen with TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::functions_share_a_name
