#include "checks/checked_operators.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxOpImporters.cpp of each release"};

}  // namespace

extern constinit const Rule rank_unsupported{
    .code = "OPS403",
    .name = "rank-unsupported",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "an input with a number of dims that the importer does not take",
    .docs = R"(## What it checks
Inputs whose number of dims the importer tests: matrices of Gemm, rank 4 for DepthToSpace and SpaceToDepth, rank 3 for
NonMaxSuppression, and others.

## Why TensorRT cares
ONNX allows more ranks than the importer takes for some operators; and a model with a wrong rank is refused in any case.

## Example
```onnx target=8.5
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y) {
  y = Trilu (x)
}
```

## Instead
```onnx target=8.5
agraph (float[2,4,4] x) => (float[2,4,4] y) {
  y = Trilu (x)
}
```

## Fix
Reshape before and behind the node, or use an operator that takes the rank (MatMul for Gemm).

## Evidence
Rows of `cpp/data/checks`: onnx-tensorrt `docs/operators.md`, importers and static checks of each release. Where a row
was last seen in an older release than the target, the certainty is "likely".
)",
    .evidence = kEvidence,
    .ops = checks::kCheckedOperators,
    .check = nullptr,
};

}  // namespace trtcheck::rules
