#include <fmt/core.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules::opset_above_documented {
namespace {

void check(RuleContext& context) {
  const auto opset = context.model().opset(GraphId{0});
  const OpsetRange range = opset_range(context.release().exact());
  if (!opset || *opset <= range.max) return;
  FindingBuilder finding = context.add_model(fmt::format("the model uses opset {}, {} documents {} to {}", *opset,
                                                         context.release().name(), range.min, range.max));
  finding.note("no release enforces the limit: newer attributes and inputs may be overlooked without a word")
      .fix(fmt::format("export with opset {}", range.max));
  if (range.interpolated) {
    finding.certainty(Certainty::likely)
        .note(fmt::format(
            "the document of this release was not read, the limit is that of its predecessor and may be up to {}",
            range.highest));
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt docs/operators.md",
                                          "onnx-tensorrt ModelImporter.cpp importModel, 10.10"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS202",
    .name = "opset-above-documented",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an opset newer than the release documents",
    .docs = R"(## What it checks
The opset of the ONNX domain against the newest one that the release documents.

## Why TensorRT cares
No release compares the two. An importer that was written for an older opset reads the attributes and inputs that it
knows; what the newer version added is overlooked unless the importer tests for it.

## Example
```onnx target=8.6 opset=20
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Instead
```onnx target=8.6 opset=17
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Fix
Export with the newest opset that the release documents.

## Evidence
onnx-tensorrt `docs/operators.md` and `ModelImporter.cpp` of each release.
)",
    .evidence = kEvidence,
    .check = check,
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::opset_above_documented
