#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "rules/model/stored_tensors.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::bad_dims {
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
    // Of 2^33 nothing is left, which is an empty tensor; of 2^31 a negative number. Measured: TensorRT-RTX 1.4 to 1.7.
    const auto read = static_cast<std::int32_t>(static_cast<std::uint32_t>(size));
    const bool is_refused = size > 0 && read < -1 && context.has(gates::elements_counted_in_40_bits);
    context
        .add_model(
            size < 0 ? fmt::format("axis {} of input `{}` is {}, TensorRT treats it as a dynamic axis", axis,
                                   value.name, size)
                     : fmt::format("axis {} of input `{}` is {}, TensorRT keeps 32 bits of it", axis, value.name, size))
        .severity(means_dynamic ? Severity::info
                  : is_refused  ? Severity::error
                                : Severity::warning)
        .value(value.name)
        .fix(size < 0 ? "give the axis a name (dim_param), or its true size" : "give the axis its true size");
  }
}

/// "-1" and the like: a number that stands where the name of an axis belongs.
bool is_negative_number(std::string_view name) {
  return name.size() > 1 && name[0] == '-' &&
         std::ranges::all_of(name.substr(1), [](char c) { return '0' <= c && c <= '9'; });
}

/// Axes of one name have one size when the engine runs, whatever the name looks like.
void check_names(RuleContext& context) {
  std::map<std::string_view, std::pair<ValueId, std::size_t>> first;
  std::set<std::string_view> told;
  for (const ValueId input : context.model().graph().inputs) {
    if (!context.model().is_network_input(input)) continue;
    const auto dims = context.model().type(context.model().value(input).declared).dims;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
      if (dims[axis].kind != DeclaredDim::Kind::param || !is_negative_number(dims[axis].param)) continue;
      const auto [other, is_new] = first.try_emplace(dims[axis].param, input, axis);
      if (is_new || !told.insert(dims[axis].param).second) continue;
      context
          .add_model(fmt::format("axis {} of input `{}` and axis {} of input `{}` are both named `{}`: TensorRT treats "
                                 "them as one size",
                                 other->second.second, context.name(other->second.first), axis, context.name(input),
                                 dims[axis].param))
          .severity(Severity::warning)
          .value(context.name(input))
          .fix("give each dynamic axis a name of its own");
    }
  }
}

void check(RuleContext& context) {
  for (const StoredTensor& tensor : context.view().stored()) {
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
  check_names(context);
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxProtoUtils.hpp convertOnnxDims, 10.10",
                                          "onnx-tensorrt WeightsContext.cpp convertOnnxWeights, 10.10",
                                          "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 treat axes named -1 as equal"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL213",
    .name = "bad-dims",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "dims that are negative or too large",
    .docs = R"(## What it checks
Dims of initializers and tensor attributes (not negative, product within 64 bits) and of graph inputs; axes of inputs whose
name is a negative number, when several have it.

## Why TensorRT cares
The size of a constant with such dims cannot agree with its data. A negative dim of an input silently becomes a dynamic axis
(which is what `-1` is meant to say, though ONNX writes a name there); one above 2147483647 is cut to 32 bits. Axes of one name
have one size; a converter that names every open axis `-1` says that they are all equal, and a profile with two sizes ends the build.

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
    .gates = {gates::elements_counted_in_40_bits},
};

}  // namespace trtcheck::rules::bad_dims
