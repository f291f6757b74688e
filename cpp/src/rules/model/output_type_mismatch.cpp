#include <fmt/format.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

constexpr TrtVersion kStronglyTyped{11, 0};

bool is_float(DataType type) { return type == DataType::float32 || type == DataType::float16; }

/// What TensorRT computes in: INT64 was INT32 before 9.0, DOUBLE is FLOAT in every release.
DataType network_type(DataType type, TrtVersion release) {
  if (type == DataType::float64) return DataType::float32;
  if (type == DataType::int64 && release < TrtVersion{9, 0}) return DataType::int32;
  return type;
}

void check(RuleContext& context) {
  const Model& model = context.model();
  const TrtVersion release = context.target().release;
  if (release >= kStronglyTyped) return;  // the declaration is no longer looked at
  for (ValueId id : model.graph().outputs) {
    const Value& value = model.value(id);
    if (!value.declared || !value.producer) continue;
    const DataType declared = model.type(value.declared).element;
    const DataType computed = context.shape(id).type;
    if (declared == DataType::undefined || computed == DataType::undefined || context.shape(id).type_assumed) continue;
    if (network_type(declared, release) == network_type(computed, release)) continue;
    FindingBuilder finding =
        context.add(value.producer, fmt::format("output `{}` is declared {} and computed as {}", value.name,
                                                to_string(declared), to_string(computed)));
    finding.value(value.name).fix(fmt::format("declare `{}` as {}, or cast it", value.name, to_string(computed)));
    if (is_float(declared) && is_float(computed)) {
      finding.severity(Severity::info).note("TensorRT converts between FLOAT and HALF at the output");
    }
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ModelImporter.cpp importModel, 10.10",
                                          "NvInfer.h ITensor::setType, 10.x"};
constexpr std::string_view kMessages[] = {"For INT32 tensors, the output type must also be INT32"};

}  // namespace

extern constinit const Rule output_type_mismatch{
    .code = "MDL321",
    .name = "output-type-mismatch",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a graph output declared with another element type than the computed one",
    .docs = R"(## What it checks
The declared element type of every graph output against the computed one, for targets before 11.0.

## Why TensorRT cares
Up to 10.x the parser sets the declared type on the output tensor. FLOAT and HALF are converted; for other pairs the 10.x header
calls it an error. An INT32 result that is declared otherwise is refused by the parser itself. From 11.0 the declaration is
ignored.

## Example
```onnx target=10.13
agraph (float[N,3] x) => (int32[N,3] y) {
  y = Cast <to = 7> (x)
}
```

## Instead
```onnx target=10.13
agraph (float[N,3] x) => (int64[N,3] y) {
  y = Cast <to = 7> (x)
}
```

## Fix
Declare what is computed, or cast.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, `importModel` (10.10); NvInfer.h, `ITensor::setType`. Not observed on a build.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check};

}  // namespace trtcheck::rules
