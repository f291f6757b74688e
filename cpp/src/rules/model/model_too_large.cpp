#include <fmt/core.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules::model_too_large {
namespace {

// The protobuf limit: sizes are held in a signed 32-bit number.
constexpr std::uint64_t kLargest = 0x7fffffff;

void check(RuleContext& context) {
  const std::uint64_t size = context.model().bytes().size();
  if (size <= kLargest) return;
  context.add_model(fmt::format("the model is {} bytes long, TensorRT reads at most {}", size, kLargest))
      .fix("save the weights as external data (onnx.save_model with save_as_external_data=True)");
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxProtoUtils.cpp deserialize_onnx_model, 10.10: `Failed to parse the ONNX model.`"};
constexpr std::string_view kMessages[] = {"Failed to parse the ONNX model."};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL301",
    .name = "model-too-large",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a model file of 2 GiB or more",
    .docs = R"(## What it checks
The size of the model file, or of the serialized model in memory.

## Why TensorRT cares
Protobuf messages end at 2147483647 bytes: the parser says `Failed to parse the ONNX model.`

## Example
```text
model.onnx of 3,200,000,000 bytes, weights inside
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Fix
Save the weights as external data.

## Evidence
onnx-tensorrt `onnxProtoUtils.cpp`, `deserialize_onnx_model` (10.10); protobuf documentation.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::model_too_large
