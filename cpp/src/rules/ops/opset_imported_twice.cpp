#include <algorithm>

#include <fmt/core.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules::opset_imported_twice {
namespace {

void check(RuleContext& context) {
  const auto imports = context.model().opset_imports();
  for (auto later = imports.begin(); later != imports.end(); ++later) {
    const auto first = std::ranges::find(imports, later->domain, &OpsetImport::domain);
    if (first == later || first->version == later->version) continue;
    context
        .add_model(fmt::format("opsets {} and {} of {} are imported, TensorRT uses the first", first->version,
                               later->version, later->domain.empty() ? "ONNX" : fmt::format("`{}`", later->domain)))
        .note("ONNX allows one per domain; other readers use the last one")
        .fix("keep the import that the model was exported with");
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ImporterContext.hpp addOpset, 10.10"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS204",
    .name = "opset-imported-twice",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "two opsets of one domain are imported",
    .docs = R"(## What it checks
A domain is imported once, or with the same version each time.

## Why TensorRT cares
The parser keeps the first version that it reads. ONNX requires one import per domain; who reads the same file with another tool may see it as
another opset, with other defaults.

## Example
```onnx
<ir_version: 10, opset_import: ["" : 17, "" : 12]>
agraph (float[N,3] x) => (float[N,3] y) {
  y = Softmax (x)
}
```

## Instead
```onnx
<ir_version: 10, opset_import: ["" : 17]>
agraph (float[N,3] x) => (float[N,3] y) {
  y = Softmax (x)
}
```

## Fix
Keep the import that the model was exported with.

## Evidence
onnx-tensorrt `ImporterContext.hpp`, `addOpset` (10.10).
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules::opset_imported_twice
