#include "rules/list.hpp"

namespace trtcheck::rules::suppression_unused {
namespace {

constexpr std::string_view kEvidence[] = {
    "trtcheck, docs/suppressing.md: suppressions that match nothing",
};

}  // namespace

// Info, because the verdict is about the conversion, and nothing is hidden by an entry that has nothing to do.
extern constinit const Rule rule{
    .code = "MDL902",
    .name = "suppression-unused",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "an entry of `trtcheck.ignore` that matches no finding",
    .docs = R"(## What it checks
Each rule that `trtcheck.ignore` of the model or of a node names matches a finding: one of the model, or one at the node
and in its bodies. Rules that are not selected in this run are not counted.

## Why TensorRT cares
It does not. A suppression that has outlived its finding would hide the next one. A finding may also be absent because
the model was checked for another release or another precision than the one that needs the suppression.

## Example
```onnx
<ir_version: 10, opset_import: ["" : 17], metadata_props: ["trtcheck.ignore": "WGT101: known since spring"]>
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
Remove the entry, or the rule from it.

## Evidence
trtcheck, `docs/suppressing.md`: suppressions that match nothing.
)",
    .evidence = kEvidence,
};

}  // namespace trtcheck::rules::suppression_unused
