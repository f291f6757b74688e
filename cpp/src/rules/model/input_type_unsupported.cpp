#include <fmt/core.h>

#include "rules/model/network_types.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::input_type_unsupported {
namespace {

void check(RuleContext& context) {
  const Model& model = context.model();
  for (ValueId id : model.graph().inputs) {
    const Value& value = model.value(id);
    if (!model.is_network_input(id) || !value.declared) continue;
    const Type& type = model.type(value.declared);
    if (type.kind != Type::Kind::tensor) {
      context.add_model(fmt::format("input `{}` is not a tensor, TensorRT accepts only dense tensors", value.name))
          .value(value.name)
          .fix("export the model with tensors as inputs");
      continue;
    }
    if (type.element == DataType::undefined || is_network_type(type.element, context.release())) continue;
    context
        .add_model(fmt::format("input `{}` is {}, which {} has no type for", value.name, to_string(type.element),
                               context.release().name()))
        .value(value.name)
        .fix(type_remedy(type.element, fmt::format("`{}`", value.name)));
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt ModelImporter.cpp importInput, 10.10: `Failed to convert ONNX date type to TensorRT data type`"};
constexpr std::string_view kMessages[] = {"Failed to convert ONNX date type to TensorRT data type"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL311",
    .name = "input-type-unsupported",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a network input of an element type that TensorRT has no counterpart for",
    .docs = R"(## What it checks
The element type of every graph input that is no initializer: FLOAT, DOUBLE (becomes FLOAT), FLOAT16, INT8, INT32, INT64 and
BOOL; UINT8 from 8.5, BFLOAT16 and FLOAT8E4M3FN from 9.0, INT4 from 10.0, FLOAT4E2M1 from 10.8. Sequences, maps and optionals
are no network inputs.

## Why TensorRT cares
The parser converts the type before it adds the input: `Failed to convert ONNX date type to TensorRT data type`.

## Example
```onnx
agraph (uint16[N,3] x) => (float[N,3] y) {
  y = Cast <to = 1> (x)
}
```

## Instead
```onnx
agraph (int32[N,3] x) => (float[N,3] y) {
  y = Cast <to = 1> (x)
}
```

## Fix
Change the type of the input, and cast outside of the model: integers to INT32 or INT64. BFLOAT16 before 9.0: export the
model in FP16 or FP32, or use a newer release, as far as its operators accept BF16.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, `importInput` (8.0 to 11.0).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {kTypeGates},
};

}  // namespace trtcheck::rules::input_type_unsupported
