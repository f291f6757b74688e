#include "checks/checked_operators.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxOpImporters.cpp and importerUtils.cpp of each release"};
constexpr std::string_view kMessages[] = {"Found unsupported input type of *", "Found invalid input type of *",
                                          "does not support the given operator *",
                                          "Elementwise layer does not support operator *"};

}  // namespace

extern constinit const Rule dtype_unsupported{
    .code = "OPS405",
    .name = "dtype-unsupported",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "an input of an element type that the importer refuses",
    .docs = R"(## What it checks
Element types that the importer of an operator tests and refuses: integers in Relu, Gelu and Pow (by release), BFLOAT16 in Range,
HardSwish, Shrink and LpPool, BOOL in the reductions, BOOL and integers in Resize, and others. Only refusals seen in the code, or of
the layer that the importer makes, count, not the documented lists.

## Why TensorRT cares
The importer says `Found unsupported input type` or similar. The documented lists of types are wider than the code in these
places.

## Example
```onnx
agraph (int32[4] x) => (int32[4] y) {
  y = Relu (x)
}
```

## Instead
```onnx
agraph (float[4] x) => (float[4] y) {
  y = Relu (x)
}
```

## Fix
Cast before the node, to the nearest type that the operator takes: the message names it.

## Evidence
Rows of `cpp/data/checks`: onnx-tensorrt `docs/operators.md`, importers and static checks of each release. Where a row
was last seen in an older release than the target, the certainty is "likely".
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = checks::kCheckedOperators,
    .check = nullptr,
};

}  // namespace trtcheck::rules
