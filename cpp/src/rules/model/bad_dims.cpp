#include <algorithm>

#include <fmt/core.h>

#include "rules/model/stored_tensors.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

// TensorRT holds extents of tensors in 32 bits up to 9.3 and in 64 bits from 10.0; importers narrow them to 32
// (onnx-tensorrt onnxProtoUtils.hpp convertOnnxDims, 10.10).
constexpr std::int64_t kLargest = 0x7fffffff;

void check_input(RuleContext& context, ValueId id) {
  const Value& value = context.model().value(id);
  if (!value.declared || value.initializer) return;
  const auto dims = context.model().type(value.declared).dims;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis].kind != DeclaredDim::Kind::value || (dims[axis].value >= 0 && dims[axis].value <= kLargest))
      continue;
    const std::int64_t size = dims[axis].value;
    const bool means_dynamic = size == -1;
    context
        .add_model(
            size < 0 ? fmt::format("axis {} of input `{}` is {}, TensorRT takes it for a dynamic axis", axis,
                                   value.name, size)
                     : fmt::format("axis {} of input `{}` is {}, TensorRT keeps 32 bits of it", axis, value.name, size))
        .severity(means_dynamic ? Severity::info : Severity::warning)
        .value(value.name)
        .fix(size < 0 ? "give the axis a name (dim_param), or its true size" : "give the axis its true size");
  }
}

void check(RuleContext& context) {
  for (const StoredTensor& tensor : context.facts().stored()) {
    const Tensor& data = context.model().tensor(tensor.id);
    if (data.element_count()) continue;
    const bool negative = std::ranges::any_of(data.dims, [](std::int64_t dim) { return dim < 0; });
    context
        .add(tensor.node,
             fmt::format("{} is {}, {}", tensor_name(context, tensor), tensor_text(data),
                         negative ? "a constant has no negative dims" : "the number of its elements leaves 64 bits"))
        .value(context.name(tensor.value))
        .fix("export the model again: the dims of the tensor are damaged");
  }
  for (ValueId input : context.model().graph().inputs) check_input(context, input);
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxProtoUtils.hpp convertOnnxDims, 10.10",
                                          "onnx-tensorrt WeightsContext.cpp convertOnnxWeights, 10.10"};

}  // namespace

extern constinit const Rule bad_dims{
    .code = "MDL213",
    .name = "bad-dims",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "dims that are negative or too large",
    .docs = R"(## What it checks
Dims of initializers and tensor attributes (not negative, product within 64 bits) and of graph inputs.

## Why TensorRT cares
The size of a constant with such dims cannot agree with its data. A negative dim of an input silently becomes a dynamic axis
(which is what `-1` is meant to say, though ONNX writes a name there); one above 2147483647 is cut to 32 bits.

## Example
```onnx
agraph (float[N,3] x) => (float[N,2] y)
<float[-3,2] w = {1, 2, 3, 4, 5, 6}> {
  y = MatMul (x, w)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,2] y)
<float[3,2] w = {1, 2, 3, 4, 5, 6}> {
  y = MatMul (x, w)
}
```

## Fix
Export again, or give dynamic axes a name.

## Evidence
onnx-tensorrt `WeightsContext.cpp` and `onnxProtoUtils.hpp`, `convertOnnxDims` (10.10).
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules
