#include <fmt/core.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules::opset_too_old {
namespace {

// Below it operands are not broadcast as the parser expects (onnx-tensorrt ModelImporter.cpp importModel).
constexpr std::int64_t kParserWarnsBelow = 7;

void check(RuleContext& context) {
  const auto opset = context.model().opset(GraphId{0});
  const OpsetRange range = opset_range(context.release().exact());
  if (!opset || context.model().opset_imports().empty() || *opset >= range.min) return;
  FindingBuilder finding = context.add_model(fmt::format("the model uses opset {}, {} documents {} to {}", *opset,
                                                         context.release().name(), range.min, range.max));
  finding.fix(fmt::format("export again with opset {} or newer, or use onnx.version_converter", range.min));
  if (*opset >= kParserWarnsBelow) {
    finding.severity(Severity::info)
        .note("the parser does not refuse it: operators are imported as far as their importers go");
  } else {
    finding.note("the parser warns below opset 7: elementwise operators and others with operands of unequal rank fail");
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt ModelImporter.cpp importModel, 10.10: `TensorRT supports ONNX graphs generated with at least opset "
    "7`",
    "onnx-tensorrt docs/operators.md"};
constexpr std::string_view kMessages[] = {"TensorRT supports ONNX graphs generated with at least opset 7",
                                          "Pre-opset 7 broadcasting is unsupported"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS201",
    .name = "opset-too-old",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an opset older than TensorRT documents",
    .docs = R"(## What it checks
The opset of the ONNX domain against the smallest one that the release documents: 7 up to 9.3, 9 from 10.0.

## Why TensorRT cares
No release enforces it. Below 7 the parser warns, and elementwise operators whose operands differ in rank fail, because
the old `axis` and `broadcast` attributes are not read. From 7 to 8 it is only outside of what NVIDIA promises.

## Example
```onnx opset=6
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Instead
```onnx opset=17
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Fix
Export with a newer opset; opset 17 is understood by every release since 8.4.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, `importModel` (8.0 to 11.0), and `docs/operators.md` of each release.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::opset_too_old
