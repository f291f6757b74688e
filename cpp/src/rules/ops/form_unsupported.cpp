#include "facts/named_operators.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::form_unsupported {
namespace {

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt docs/operators.md, onnxOpImporters.cpp, onnxOpCheckers.cpp and importerUtils.cpp of each release",
    "onnx-tensorrt ModelImporter.cpp parseNode: `Node has more output tensors than TRT expected`",
    "measured: the parsers and builders of TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1"};
constexpr std::string_view kMessages[] = {"Node has more output tensors than TRT expected",
                                          "Found unsupported input type of *",
                                          "Found invalid input type of *",
                                          "does not support the given operator *",
                                          "Elementwise layer does not support operator *",
                                          "must be an initializer",
                                          "required to be an initializer",
                                          "is a shape tensor and must have type Int32 or Int64"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS401",
    .name = "form-unsupported",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a form of an operator that the target release does not accept",
    .docs = R"(## What it checks
The release has an importer for the operator, and this form of the node is refused: the value of an attribute, the rank
or the element type of an input, an input that must be a constant, an optional input or output, or values that do not
fit together. Each of these is a fact with an id of its own, such as `pad-mode`; `trtcheck support Pad` lists those of
an operator, `trtcheck explain pad-mode` shows one. Where the answer depends on a value or size that nobody knows,
nothing is reported, or a warning where the fact says so.

## Why TensorRT cares
The importer, a static check (from 9.1) or the layer that the importer makes ends the conversion. The limits differ
between releases. The parser folds nothing: the output of Identity, Cast or Concat is no constant for it, even when
everything before it is constant.

## Example
```onnx opset=18
agraph (float[1,3,8,8] x) => (float[1,3,16,16] y)
<float[4] s = {1, 1, 2, 2}> {
  y = Resize <mode = "linear", antialias = 1> (x, , s)
}
```

## Instead
```onnx opset=18
agraph (float[1,3,8,8] x) => (float[1,3,16,16] y)
<float[4] s = {1, 1, 2, 2}> {
  y = Resize <mode = "linear", antialias = 0> (x, , s)
}
```

## Fix
Each fact has its own, which the finding prints.

## Evidence
Facts of `cpp/data/facts`, each with the releases whose sources were read, with what versions of TensorRT-RTX did, and
with threads in which users report it. Where the target is not among them, the certainty is "likely".
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = facts::kNamedOperators,
    .check = nullptr,
    .gates = {kNetworkTypeGates},
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::form_unsupported
