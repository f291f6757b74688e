#include <fmt/core.h>

#include "rules/model/stored_tensors.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::initializer_without_data {
namespace {

void check(RuleContext& context) {
  for (const StoredTensor& tensor : context.view().stored()) {
    const Tensor& data = context.model().tensor(tensor.id);
    const auto count = data.element_count();
    if (data.data != Tensor::Data::none || !count || *count == 0 || data.is_sparse) continue;
    const bool promised =
        data.type == DataType::float32 || data.type == DataType::int32 || data.type == DataType::int64;
    FindingBuilder finding = context.add(
        tensor.node, fmt::format("{} is {} and has no values", tensor_name(context, tensor), tensor_text(data)));
    finding.value(context.name(tensor.value))
        .reason("no values")
        .fix("use the model with its weights: this one was stripped");
    if (!promised) {
      finding.certainty(Certainty::likely)
          .note(
              "the parser reads past the end of the empty list before it compares sizes: a large one can end the "
              "process");
    }
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt WeightsContext.cpp convertOnnxWeights, run at 10.3 and 10.10"};
constexpr std::string_view kMessages[] = {"Size mismatch when importing initializer"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL212",
    .name = "initializer-without-data",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a constant with dims but without values",
    .docs = R"(## What it checks
Initializers and tensor attributes that state dims and hold no values at all, inside the model or outside. Models are
stripped like this to share their structure.

## Why TensorRT cares
FLOAT, INT32 and INT64 tensors give the error `Size mismatch when importing initializer`. For FP16, BF16, INT8 and BOOL
the parser first reads the values that are not there.

## Example
```onnx
agraph (float[N,3] x) => (float[N,3] y)
<float[3] w = {}> {
  y = Add (x, w)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y)
<float[3] w = {1, 2, 3}> {
  y = Add (x, w)
}
```

## Fix
Use the complete model.

## Evidence
Seen by running the parsers of 10.3 and 10.10 over stripped models; onnx-tensorrt `WeightsContext.cpp`.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::initializer_without_data
