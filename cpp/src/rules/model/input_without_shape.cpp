#include <fmt/core.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules::input_without_shape {
namespace {

void check(RuleContext& context) {
  const Model& model = context.model();
  for (ValueId id : model.graph().inputs) {
    const Value& value = model.value(id);
    if (!model.is_network_input(id) || !value.declared) continue;
    const Type& type = model.type(value.declared);
    if (type.kind != Type::Kind::tensor || type.has_shape) continue;
    context.add_model(fmt::format("input `{}` states no shape, TensorRT treats it as a scalar", value.name))
        .value(value.name)
        .fix(fmt::format("state the rank of `{}`: a name for each axis is enough", value.name));
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ModelImporter.cpp importInput, 10.10"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL313",
    .name = "input-without-shape",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a network input without a shape, which TensorRT treats as a scalar",
    .docs = R"(## What it checks
Every graph input that is no initializer states its rank.

## Why TensorRT cares
An input without a shape becomes a tensor of rank 0. What follows fails with messages about ranks, or computes something
else.

## Example
```onnx
agraph (float[] x) => (float[N] y) {
  y = Relu (x)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Fix
Export with `dynamic_axes` or `dynamic_shapes` instead of without shapes; or set the shape in the file.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, `importInput` (8.0 to 10.10).
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules::input_without_shape
