#include "facts/named_operators.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::silently_ignored {
namespace {

constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxOpImporters.cpp of each release"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS412",
    .name = "silently-ignored",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "TensorRT does not read something that changes the result, without a word",
    .docs = R"(## What it checks
Attributes and inputs that ONNX gives a meaning and the importer never looks at, where they change the result.

## Why TensorRT cares
It does not: the conversion succeeds, and nothing is printed. The engine is wrong, or a later node fails for a reason that
nobody finds.

## Example
```onnx
agraph (float[2,5,3] x, float[1,16,3] w, float[1,16,4] r) => (float[A,1,B,4] y) {
  y = LSTM <hidden_size = 4, layout = 1> (x, w, r)
}
```

## Instead
```onnx
agraph (float[2,5,3] x, float[1,16,3] w, float[1,16,4] r) => (float[A,1,B,4] y) {
  y = LSTM <hidden_size = 4, layout = 0> (x, w, r)
}
```

## Fix
What the message says: each of these facts has its own remedy.

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

}  // namespace trtcheck::rules::silently_ignored
