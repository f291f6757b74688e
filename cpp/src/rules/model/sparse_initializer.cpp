#include <fmt/core.h>

#include "rules/model/stored_tensors.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::sparse_initializer {
namespace {

void check(RuleContext& context) {
  for (const StoredTensor& tensor : context.view().stored()) {
    if (!tensor.value || !tensor.node || !context.model().tensor(tensor.id).is_sparse) continue;
    context
        .add(tensor.node, fmt::format("input `{}` of `{}` is a sparse initializer, the parser reads dense ones only",
                                      context.name(tensor.value), context.label(tensor.node)))
        .value(context.name(tensor.value))
        .fix(fmt::format("store `{}` as a dense initializer", context.name(tensor.value)));
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt ModelImporter.cpp parseGraph, 10.10: `Node input was not registered.`"};
constexpr std::string_view kMessages[] = {"Node input was not registered."};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL214",
    .name = "sparse-initializer",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a weight stored as a sparse initializer, which the parser does not read",
    .docs = R"(## What it checks
Initializers in the `sparse_initializer` list of a graph that some node reads.

## Why TensorRT cares
The parser does not look at that list: the node that reads the tensor fails with `Node input was not registered.`

## Example
```text
graph.sparse_initializer holds `w`, and a MatMul reads `w`
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Fix
Store it densely.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, `parseGraph` (8.0 to 11.0).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::sparse_initializer
