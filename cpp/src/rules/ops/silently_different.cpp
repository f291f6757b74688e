#include "facts/named_operators.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::silently_different {
namespace {

constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxOpImporters.cpp of each release"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS411",
    .name = "silently-different",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "TensorRT computes something else than ONNX says, without a word",
    .docs = R"(## What it checks
Nodes that convert and give other numbers: a mode whose word the importer does not know, and for which it uses another one.

## Why TensorRT cares
It does not: the conversion succeeds, and nothing is printed. The engine is wrong.

## Example
```onnx opset=20 target=11.1
agraph (float[1,3,8,8] x, float[1,4,4,2] g) => (float[1,3,4,4] y) {
  y = GridSample <mode = "cubic"> (x, g)
}
```

## Instead
```onnx opset=16
agraph (float[1,3,8,8] x, float[1,4,4,2] g) => (float[1,3,4,4] y) {
  y = GridSample <mode = "bicubic"> (x, g)
}
```

## Fix
What the message says: each of these facts has its own remedy. Compare the outputs of the engine with those of ONNX Runtime.

## Evidence
Facts of `cpp/data/facts`, each with its source. Where nobody read or measured the release of the target, the certainty is
"likely".
)",
    .evidence = kEvidence,
    .ops = facts::kNamedOperators,
    .check = nullptr,
    .gates = {kNetworkTypeGates},
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::silently_different
