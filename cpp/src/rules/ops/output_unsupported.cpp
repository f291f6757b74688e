#include "checks/checked_operators.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt docs/operators.md and ModelImporter.cpp parseNode: `Node has more output tensors than TRT "
    "expected`"};
constexpr std::string_view kMessages[] = {"Node has more output tensors than TRT expected",
                                          "does not support the indices output in MaxPool!"};

}  // namespace

extern constinit const Rule output_unsupported{
    .code = "OPS404",
    .name = "output-unsupported",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "an output that the importer does not produce",
    .docs = R"(## What it checks
Optional outputs and inputs that the importer does not know: indices of MaxPool, mean and deviation of LayerNormalization, caches
of Attention, axes of Pad before 10.0. An output with a name counts, whether or not somebody reads it.

## Why TensorRT cares
A node may not name more outputs than the importer returns: `Node has more output tensors than TRT expected`. Inputs of this kind
are refused by the importer.

## Example
```onnx
agraph (float[1,3,8,8] x) => (float[1,3,4,4] y, int64[1,3,4,4] i) {
  y, i = MaxPool <kernel_shape = [2,2], strides = [2,2]> (x)
}
```

## Instead
```onnx
agraph (float[1,3,8,8] x) => (float[1,3,4,4] y) {
  y = MaxPool <kernel_shape = [2,2], strides = [2,2]> (x)
}
```

## Fix
Remove the output when nobody reads it; else compute it in another way.

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
