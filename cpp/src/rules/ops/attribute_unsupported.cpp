#include "checks/checked_operators.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt docs/operators.md, onnxOpImporters.cpp and onnxOpCheckers.cpp of each release"};

}  // namespace

extern constinit const Rule attribute_unsupported{
    .code = "OPS401",
    .name = "attribute-unsupported",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "an attribute with a value that the target release does not take",
    .docs = R"(## What it checks
Attributes whose value the parser tests: modes of Resize, Pad and RoiAlign, coupled gates of LSTM, norms of LpPool, dilations of
the pooling operators, and others.
An attribute that is left out counts as allowed.

## Why TensorRT cares
The importer, or from 9.1 a static check, ends the conversion. The limits differ between releases.

## Example
```onnx opset=18
agraph (float[1,3,8,8] x) => (float[1,3,16,16] y)
<float[4] s = {1, 1, 2, 2}> {
  y = Resize <mode = "linear", antialias = 1> (x, , s)
}
```

## Instead
```onnx opset=18
agraph (float[1,3,8,8] x) => (float[1,3,16,16] y)
<float[4] s = {1, 1, 2, 2}> {
  y = Resize <mode = "linear", antialias = 0> (x, , s)
}
```

## Fix
Use a value that the release takes, or express the same with other operators.

## Evidence
Rows of `cpp/data/checks`: onnx-tensorrt `docs/operators.md`, importers and static checks of each release. Where a row
was last seen in an older release than the target, the certainty is "likely".
)",
    .evidence = kEvidence,
    .ops = checks::kCheckedOperators,
    .check = nullptr,
};

}  // namespace trtcheck::rules
