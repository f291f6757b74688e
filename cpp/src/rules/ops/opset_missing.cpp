#include <algorithm>

#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::rules::opset_missing {
namespace {

void check(RuleContext& context) {
  const auto imports = context.model().opset_imports();
  if (imports.empty()) {
    context.add_model("the model imports no opset, TensorRT treats it as opset 1")
        .severity(Severity::warning)
        .note("most importers then read attributes of a form that no exporter has written for years")
        .fix("set opset_import to the opset that the model was exported with");
    return;
  }
  if (context.model().opset(GraphId{0})) return;
  if (imports.size() == 1) {
    context
        .add_model(fmt::format("the only opset is version {} of domain `{}`, TensorRT treats it as the opset of ONNX",
                               imports[0].version, imports[0].domain))
        .severity(Severity::warning)
        .fix("add the opset of the ONNX domain that the model was exported with");
    return;
  }
  const auto asking = std::ranges::find_if(
      context.nodes(), [&](NodeId id) { return is_a(context.model().node(id).op_type, kinds::asks_opset); });
  const bool is_asked = asking != context.nodes().end();
  FindingBuilder finding = context.add_model(
      fmt::format("{} opsets are imported and none is that of ONNX{}", imports.size(),
                  is_asked ? fmt::format(", TensorRT asks for it at {} `{}`", context.model().node(*asking).op_type,
                                         context.label(*asking))
                           : std::string()));
  finding.fix("add the opset of the ONNX domain that the model was exported with");
  if (!is_asked)
    finding.severity(Severity::warning).note("importers that do not ask for the opset accept their nodes all the same");
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ImporterContext.hpp getOpsetVersion, 10.10",
                                          "measured: TensorRT-RTX 1.5.0, 1.6.1, 1.7.1"};
constexpr std::string_view kMessages[] = {"_Map_base::at"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS203",
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
as the ONNX opset. With several, none of them ONNX's, the lookup fails in the first importer that asks for the opset: Add, Softmax
and many others, not Relu or Conv. A model without any that is known to ask is a warning.

## Example
```onnx
<ir_version: 10, opset_import: ["my.ops" : 1, "other.ops" : 1]>
agraph (float[N,3] x) => (float[N,3] y) {
  y = Softmax (x)
}
```

## Instead
```onnx
<ir_version: 10, opset_import: ["" : 17, "my.ops" : 1]>
agraph (float[N,3] x) => (float[N,3] y) {
  y = Softmax (x)
}
```

## Fix
Add the opset that the model was exported with.

## Evidence
onnx-tensorrt `ImporterContext.hpp`, `getOpsetVersion` (read at 10.10; a model without imports was run through the
parsers of 10.3 and 10.10). Which importers ask was measured with TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 (of the branches 11.0 to 11.4).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::opset_missing
