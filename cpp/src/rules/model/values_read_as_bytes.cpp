#include <algorithm>

#include <fmt/core.h>

#include "model/tensor_values.hpp"
#include "rules/model/stored_tensors.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::values_read_as_bytes {
namespace {

bool is_read_as_bytes(const RuleContext& context, DataType type) {
  if (type == DataType::uint8) return context.has(gates::uint8_values_as_bytes);
  return type == DataType::float8e4m3fn && context.has(gates::fp8_values_as_bytes);
}

/// Zeros stay zeros, and the first byte of the first number is the first value.
bool is_harmless(RuleContext& context, const StoredTensor& stored, const Tensor& data) {
  const auto count = data.element_count();
  if (!count || *count <= 1) return true;
  const auto values = context.tensors().floats(stored.id, kMostElements);
  return values && std::ranges::all_of(*values, [](double value) { return value == 0; });
}

void check(RuleContext& context) {
  for (const StoredTensor& stored : context.view().stored()) {
    const Tensor& data = context.model().tensor(stored.id);
    if (data.data != Tensor::Data::typed || data.is_sparse || !is_read_as_bytes(context, data.type)) continue;
    if (is_harmless(context, stored, data)) continue;
    context
        .add(stored.node,
             fmt::format("{} is {} and stored as 32-bit numbers, of which TensorRT reads the bytes: most of "
                         "its values become 0",
                         tensor_name(context, stored), tensor_text(data)))
        .value(context.name(stored.value))
        .fix("store it as raw bytes (`raw_data`): `onnx.numpy_helper.from_array` does");
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt WeightsContext.cpp convertOnnxWeights, 10.10; UINT8: seen with TensorRT-RTX 1.7.1"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL215",
    .name = "values-read-as-bytes",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "UINT8 or FP8 values stored in a way that TensorRT misreads",
    .docs = R"(## What it checks
Constants of UINT8 (from 10.10) and FLOAT8E4M3FN (from 9.0) whose values are in `int32_data`, one number of 32 bits for each. Tensors of
one value and of zeros only are left as they are: they come out right.

## Why TensorRT cares
It reads the list of numbers as a list of bytes. Of four values only the first one survives, three zeros follow, and what came
after is never read. Nothing is printed; the engine computes with other numbers.

## Example
```onnx target=10.13 opset=13
agraph (float[4] x) => (float[4] y)
<uint8[4] w = {1, 2, 3, 4}> {
  f = Cast<to = 1>(w)
  y = Add(x, f)
}
```

## Instead
```onnx target=10.13 opset=13
agraph (float[4] x) => (float[4] y)
<float[4] w = {1, 2, 3, 4}> {
  y = Add(x, w)
}
```

## Fix
Store the values as raw bytes: `onnx.numpy_helper.from_array` and every exporter do, `onnx.helper.make_tensor` without `raw=True` does not.

## Evidence
onnx-tensorrt `WeightsContext.cpp`, `convertOnnxWeights`, 10.10; UINT8 was seen with TensorRT-RTX 1.7.1.
)",
    .evidence = kEvidence,
    .check = check,
    .gates = {gates::uint8_values_as_bytes, gates::fp8_values_as_bytes},
};

}  // namespace trtcheck::rules::values_read_as_bytes
