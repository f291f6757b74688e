#include "facts/named_operators.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::slow_form {
namespace {

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/performance/overhead-layer-optimization.html"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS413",
    .name = "slow-form",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a node that converts, and runs slower than another form of the same",
    .docs = R"(## What it checks
Forms of operators that TensorRT's documents call slow, where ONNX has another form for the same.

## Why TensorRT cares
It converts them, to slower kernels. How much slower depends on sizes and device, which nobody sees in the file.

## Example
```onnx
agraph (float[N,8,100] x) => (y, i) <int64[1] k = {2}> { y, i = TopK <axis = 1> (x, k) }
```

## Instead
```onnx
agraph (float[N,8,100] x) => (y, i) <int64[1] k = {2}> { y, i = TopK <axis = 2> (x, k) }
```

## Fix
What the message says, where the node needs a noticeable part of the time: measure with `trtexec --dumpProfile`.

## Evidence
Facts of `cpp/data/facts`, each with its source.
)",
    .evidence = kEvidence,
    .ops = facts::kNamedOperators,
    .check = nullptr,
    .gates = {kNetworkTypeGates},
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::slow_form
