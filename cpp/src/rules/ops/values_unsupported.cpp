#include "checks/checked_operators.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxOpImporters.cpp and importerUtils.cpp of each release"};

}  // namespace

extern constinit const Rule values_unsupported{
    .code = "OPS406",
    .name = "values-unsupported",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "values that do not fit together, or to the release",
    .docs = R"(## What it checks
What the importer of an operator asks of several things at once: an axis inside of the rank, an attribute that ONNX
allows to leave out, values of a constant. Where a size is not known, nothing is said.

## Why TensorRT cares
The importer, or the layer that it makes, ends the conversion.

## Example
```onnx
agraph (float[2,3] x) => (float[2,3] y)
<int64 a = {2}> {
  y = CumSum (x, a)
}
```

## Instead
```onnx
agraph (float[2,3] x) => (float[2,3] y)
<int64 a = {1}> {
  y = CumSum (x, a)
}
```

## Fix
What the message says: each of these facts has its own remedy.

## Evidence
Rows of `cpp/data/checks`, each with its source. Where a row was last seen in an older release than the target, the certainty
is "likely".
)",
    .evidence = kEvidence,
    .ops = checks::kCheckedOperators,
    .check = nullptr,
};

}  // namespace trtcheck::rules
