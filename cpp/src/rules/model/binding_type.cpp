#include <fmt/core.h>

#include "rules/model/network_types.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::binding_type {
namespace {

void check_end(RuleContext& context, ValueId id, std::string_view what, DataType type) {
  const DataType bound = network_type(type, context.release());
  if (bound == type) return;
  const std::string_view name = context.name(id);
  context
      .add_model(fmt::format("{} `{}` is {}, the engine has it as {}", what, name, to_string(type), to_string(bound)))
      .value(name)
      .reason(to_string(type))
      .fix(fmt::format("have the application hand over buffers of {}", to_string(bound)));
}

void check(RuleContext& context) {
  const Model& model = context.model();
  for (const ValueId id : model.graph().inputs) {
    const Value& value = model.value(id);
    if (model.is_network_input(id) && value.declared) {
      check_end(context, id, "input", model.type(value.declared).element);
    }
  }
  for (const ValueId id : model.graph().outputs) {
    const TypeId declared = model.value(id).declared;
    const DataType computed = context.shape(id).type;
    const bool says_so = declared && model.type(declared).element == network_type(computed, context.release());
    if (!says_so) check_end(context, id, "output", computed);
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt importerUtils.cpp convertDtype, 8.6 and 10.1",
                                          "onnx-tensorrt ModelImporter.cpp importInput, 8.6"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL322",
    .name = "binding-type",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an input or output that the engine has in another type than the file",
    .docs = R"(## What it checks
Inputs and outputs of DOUBLE, and, up to 8.6, of INT64.

## Why TensorRT cares
DOUBLE is computed as FLOAT in every release, and INT64 is INT32 before 9.0. The conversion goes through; an application that goes on handing over the
type of the file, twice as wide, gets rubbish without a message.

## Example
```onnx
agraph (double[N,3] x) => (float[N,3] y) {
  z = Cast <to = 1> (x)
  y = Relu (z)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Fix
Bind what the engine has, or give the model inputs and outputs of that type.

## Evidence
onnx-tensorrt `importerUtils.cpp`, `convertDtype` (8.6, 10.1); `ModelImporter.cpp`, `importInput` (8.6).
)",
    .evidence = kEvidence,
    .check = check,
    .gates = {kNetworkTypeGates},
};

}  // namespace trtcheck::rules::binding_type
