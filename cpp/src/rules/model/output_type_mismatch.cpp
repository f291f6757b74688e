#include <fmt/core.h>

#include "rules/model/network_types.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/type_origin.hpp"

namespace trtcheck::rules::output_type_mismatch {
namespace {

bool is_float(DataType type) { return type == DataType::float32 || type == DataType::float16; }

FindingBuilder add_at(RuleContext& context, const Value& value, std::string message) {
  FindingBuilder finding =
      value.producer ? context.add(value.producer, std::move(message)) : context.add_model(std::move(message));
  return finding.value(value.name);
}

/// The parser converts the declared type before it looks at the tensor.
bool refuses_declaration(RuleContext& context, const Value& value) {
  const ReleaseView& release = context.release();
  if (value.declared && context.model().type(value.declared).kind != Type::Kind::tensor) return true;
  const DataType declared = value.declared ? context.model().type(value.declared).element : DataType::undefined;
  if (declared == DataType::undefined) {
    add_at(context, value, fmt::format("output `{}` is declared without an element type", value.name))
        .fix(fmt::format("declare the type of `{}`, for instance by onnx.shape_inference.infer_shapes", value.name));
    return true;
  }
  if (is_network_type(declared, release)) return false;
  add_at(context, value,
         fmt::format("output `{}` is declared {}, which {} has no type for", value.name, to_string(declared),
                     release.name()))
      .certainty(context.has(gates::strongly_typed) ? Certainty::likely : Certainty::proven)
      .fix(fmt::format("declare `{}` as what is computed, or cast it", value.name));
  return true;
}

/// Constants of UINT8 become INT32, but for codes and their zero points.
bool holds_bytes(TypeOrigins& origins, const Model& model, ValueId id) {
  const TypeOrigin origin = origins.of(id);
  if (origin.first && model.node(origin.first).op_type == "QuantizeLinear") return false;
  if (origin.node) return model.node(origin.node).op_type == "Constant";
  return static_cast<bool>(model.constant(origin.value));
}

void check_output(RuleContext& context, TypeOrigins& origins, ValueId id) {
  const Model& model = context.model();
  const ReleaseView& release = context.release();
  const Value& value = model.value(id);
  if (refuses_declaration(context, value) || !value.producer) return;
  const DataType declared = model.type(value.declared).element;
  const DataType computed = context.shape(id).type;
  if (computed == DataType::undefined || context.shape(id).type_assumed) return;
  if (computed == DataType::uint8 && declared == computed && context.has(gates::uint8_network) &&
      holds_bytes(origins, model, id)) {
    add_at(context, value,
           fmt::format("output `{}` passes on a UINT8 constant, which {} has as INT32", value.name, release.name()))
        .certainty(Certainty::likely)
        .fix(fmt::format("store the constant as INT32, and cast `{}` to UINT8", value.name));
    return;
  }
  if (network_type(declared, release) == network_type(computed, release)) return;
  // The parser asks about INT32 in every release; from 11.0 the other declarations are no longer looked at.
  const bool is_refused = network_type(computed, release) == DataType::int32;
  const bool is_ignored = context.has(gates::strongly_typed);
  if (is_ignored && !is_refused) return;
  FindingBuilder finding = add_at(context, value,
                                  fmt::format("output `{}` is declared {} and computed as {}", value.name,
                                              to_string(declared), to_string(computed)));
  finding.certainty(is_refused && !is_ignored ? Certainty::proven : Certainty::likely)
      .fix(fmt::format("declare `{}` as {}, or cast it", value.name, to_string(computed)));
  if (is_refused) return;
  finding.severity(Severity::warning);
  if (is_strongly_typed(context.release(), context.target().strongly_typed)) {
    finding.note("in a strongly typed network the declaration counts for nothing: an error is logged");
  } else if (is_float(declared) && is_float(computed)) {
    finding.severity(Severity::info).note("TensorRT converts between FLOAT and HALF at the output");
  }
}

void check(RuleContext& context) {
  TypeOrigins origins(context.view());
  for (ValueId id : context.model().graph().outputs) check_output(context, origins, id);
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ModelImporter.cpp importModel, 8.0 to 10.10",
                                          "NvInfer.h ITensor::setType, 10.x",
                                          "measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1, 1.7.1"};
constexpr std::string_view kMessages[] = {"For INT32 tensors, the output type must also be INT32",
                                          "the parsed type is int32 which does not"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL321",
    .name = "output-type-mismatch",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a graph output declared without an element type, or with another one than the computed",
    .docs = R"(## What it checks
Every graph output is declared with an element type, and that is the computed one.

## Why TensorRT cares
The parser converts the declared type first: without one it says `Failed to convert ONNX date type to TensorRT data type`, and so it does
for a type that TensorRT lacks (INT16, UINT32, STRING). An INT32 result that is declared otherwise is refused as well: `For INT32 tensors, the output
type must also be INT32`; up to 8.6 INT64 results are INT32, too. All that holds in every release. From 8.5 UINT8 constants, which become INT32, count
as such results. From 11.0 other declarations are ignored. Up to 10.x the declared type is set on the output tensor: FLOAT and HALF are
converted, for other pairs the 10.x header calls it an error; that is a warning here. With `--strongly-typed` nothing is converted: TensorRT logs
an error and goes on with the computed type, also a warning.

## Example
```onnx
agraph (float[N,3] x) => (int64[N,3] y) {
  y = Cast <to = 6> (x)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (int32[N,3] y) {
  y = Cast <to = 6> (x)
}
```

## Fix
Declare what is computed, or cast.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, `importModel` (8.0 to 10.10), and `convertUINT8` (8.0 to 10.1); NvInfer.h, `ITensor::setType`, not observed on a build. From 10.16:
TensorRT-RTX 1.4.0 to 1.7.1; 1.5.0, 1.6.1 and 1.7.1 with 13 declared types on 5 computed ones.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::strongly_typed, kStrongTypingGates, kNetworkTypeGates, kTypeGates},
};

}  // namespace trtcheck::rules::output_type_mismatch
