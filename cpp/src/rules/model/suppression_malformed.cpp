#include "rules/list.hpp"

namespace trtcheck::rules::suppression_malformed {
namespace {

constexpr std::string_view kEvidence[] = {
    "trtcheck, docs/suppressing.md: the form of an entry",
};

}  // namespace

// Info, because the verdict is about the conversion, and what the entry was meant to suppress is told anyway.
extern constinit const Rule rule{
    .code = "MDL901",
    .name = "suppression-malformed",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary =
        "an entry of `trtcheck.ignore` that suppresses nothing, "
        "because it is not of the form `RULES: reason`",
    .docs = R"(## What it checks
The metadata entry `trtcheck.ignore` of the model and of its nodes: each of its entries names rules (codes, prefixes of
codes, or names) and, after a colon, a reason. An entry without a reason, without a rule or with a rule that does not
exist suppresses nothing.

## Why TensorRT cares
It does not. Somebody meant to suppress a finding, which is still reported.

## Example
```onnx
<ir_version: 10, opset_import: ["" : 17], metadata_props: ["trtcheck.ignore": "WGT101"]>
agraph (float[1,3] x) => (float[1,3] y) {
  y = Relu(x)
}
```

## Instead
```onnx
<ir_version: 10, opset_import: ["" : 17]>
agraph (float[1,3] x) => (float[1,3] y) {
  y = Relu(x)
}
```

## Fix
Write `CODE: reason`; several entries stand on lines of their own or are separated by `;`.

## Evidence
trtcheck, `docs/suppressing.md`: the form of an entry.
)",
    .evidence = kEvidence,
};

}  // namespace trtcheck::rules::suppression_malformed
