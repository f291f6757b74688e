#include <fmt/core.h>

#include "rules/model/stored_tensors.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::initializer_size_mismatch {
namespace {

void check(RuleContext& context) {
  for (const StoredTensor& tensor : context.view().stored()) {
    const Tensor& data = context.model().tensor(tensor.id);
    if (data.data == Tensor::Data::none) continue;  // see initializer-without-data
    const auto mismatch = context.tensors().size_mismatch(tensor.id);
    if (!mismatch) continue;
    FindingBuilder finding =
        context.add(tensor.node,
                    fmt::format("{} is {} and needs {} {}, {} {}", tensor_name(context, tensor), tensor_text(data),
                                mismatch->needs, mismatch->in_bytes ? "bytes" : "values",
                                data.data == Tensor::Data::external ? "its external data states a length of" : "it has",
                                mismatch->has));
    finding.value(context.name(tensor.value)).fix("export the model again, or correct the dims of the tensor");
    if (data.data == Tensor::Data::external && !context.has(gates::external_size_checked)) {
      finding.severity(Severity::warning)
          .note("before 8.6 the length of external data is not compared, wrong bytes are read");
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt WeightsContext.cpp convertOnnxWeights, 10.10: `Size mismatch when importing initializer`"};
constexpr std::string_view kMessages[] = {"Size mismatch when importing initializer",
                                          "Unexpected size for the external weights!"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL211",
    .name = "initializer-size-mismatch",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a constant with more or fewer values than its dims say",
    .docs = R"(## What it checks
The stored values of every initializer and every tensor attribute against its dims and element type.

## Why TensorRT cares
The parser compares the two for data in the model: `Size mismatch when importing initializer`; and from 8.6 for external
data: `Unexpected size for the external weights!`.

## Example
```onnx
agraph (float[N,3] x) => (float[N,2] y)
<float[3,2] w = ["location": "w.bin", "offset": "0", "length": "20"]> {
  y = MatMul (x, w)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,2] y)
<float[3,2] w = ["location": "w.bin", "offset": "0", "length": "24"]> {
  y = MatMul (x, w)
}
```

## Fix
Export again; the file was cut, or edited by hand.

## Evidence
onnx-tensorrt `WeightsContext.cpp`, `convertOnnxWeights` (8.0 to 10.13).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::external_size_checked},
};

}  // namespace trtcheck::rules::initializer_size_mismatch
