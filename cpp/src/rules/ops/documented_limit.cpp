#include "facts/named_operators.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::documented_limit {
namespace {

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/_static/operators/index.html",
    "NVIDIA/TensorRT include/NvInfer.h"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS414",
    .name = "documented-limit",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "the documentation rules it out, but no refusal was observed",
    .docs = R"(## What it checks
Limits that headers or operator pages of the release state, and that no parser or builder was seen to keep.

## Why TensorRT cares
What is outside of a documented limit was never promised: another release, another device or another size may refuse it, or
give wrong numbers.

## Example
```onnx target=11.5
agraph (float[8,2,2,2,3] x) => (y, i) <int64[1] k = {2}> { y, i = TopK <axis = 0> (x, k) }
```

## Instead
```onnx target=11.5
agraph (float[8,2,2,2,3] x) => (y, i) <int64[1] k = {2}> { y, i = TopK <axis = 4> (x, k) }
```

## Fix
What the message says, or compare the engine's numbers with those of ONNX Runtime.

## Evidence
Facts of `cpp/data/facts`, each with the document and with what was tried.
)",
    .evidence = kEvidence,
    .ops = facts::kNamedOperators,
    .check = nullptr,
    .gates = {kNetworkTypeGates},
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::documented_limit
