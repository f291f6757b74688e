#include <algorithm>

#include <fmt/core.h>

#include "rules/model/network_types.hpp"
#include "rules/model/stored_tensors.hpp"
#include "rules/quantization/recipe.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::initializer_type_unsupported {
namespace {

/// From files of their own, in some releases.
bool is_refused_double(const RuleContext& context, const Tensor& data) {
  return data.data == Tensor::Data::external && data.type == DataType::float64 &&
         context.has(gates::external_doubles_misread) && !context.has(gates::external_doubles_read);
}

// The types are tested on reading; external data of these types is read and fails later or not at all.
bool is_refused(const Tensor& data, const ReleaseView& release) {
  if (data.data == Tensor::Data::external) return false;
  return data.type != DataType::uint8 && !is_network_type(data.type, release);
}

/// Codes of a quantized tensor, or a zero point.
bool is_of_quantization(const RuleContext& context, ValueId value) {
  return value && std::ranges::any_of(readers_of(context.model(), value), [&](const Use& use) {
           const Node& node = context.model().node(use.node);
           return is_quantize(node) || is_dequantize(node);
         });
}

bool has_16_bits(DataType type) { return type == DataType::int16 || type == DataType::uint16; }

void check(RuleContext& context) {
  for (const StoredTensor& tensor : context.view().stored()) {
    const Tensor& data = context.model().tensor(tensor.id);
    const bool is_double = is_refused_double(context, data);
    if (data.is_sparse || !(is_double || is_refused(data, context.release()))) continue;
    FindingBuilder finding =
        context.add(tensor.node, fmt::format("{} is {}, a type that {} does not read{}", tensor_name(context, tensor),
                                             tensor_text(data), context.release().name(),
                                             is_double ? " from a file of its own" : ""));
    const bool is_unread = tensor.value && !tensor.node;
    finding.value(context.name(tensor.value))
        .reason(to_string(data.type))
        .fix(is_unread   ? "remove it, nobody reads it"
             : is_double ? "store it as FLOAT, or in the model itself"
             : has_16_bits(data.type) && is_of_quantization(context, tensor.value)
                 ? "quantize again to INT8: TensorRT has no layers of 16-bit codes" + std::string(kWithOnnxRuntime)
                 : type_remedy(data.type, "it"));
    if (!tensor.value) finding.certainty(Certainty::likely);
    // Seen with TensorRT-RTX, read for one release.
    if (is_double && !context.has(gates::tensorrt_rtx)) {
      finding.severity(Severity::warning).certainty(Certainty::likely);
    }
    if (is_unread) finding.note("nobody reads it, the parser reads every initializer all the same");
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt WeightsContext.cpp convertOnnxWeights, 10.10: `Found unsupported datatype`"};
constexpr std::string_view kMessages[] = {"Found unsupported datatype", "cannot be imported into TensorRT!",
                                          "Failed to import initialzer", "Failed to import initializer",
                                          "Unexpected size for the external weights!"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL312",
    .name = "initializer-type-unsupported",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a constant of an element type that the parser does not read",
    .docs = R"(## What it checks
The element type of every initializer and tensor attribute in the file: INT16, UINT16, UINT32, UINT64, strings, complex numbers,
FLOAT8E5M2 and other types that TensorRT does not have; BFLOAT16 before 9.0, INT4 before 10.0, FLOAT4E2M1 before 10.8;
DOUBLE in a file beside the model from 10.13 to 11.4.

## Why TensorRT cares
All initializers are read first, used or not: `Found unsupported datatype`, or from 10.0 `cannot be imported into TensorRT!`
for types without a known size. From 10.13 to 11.4 the length of DOUBLE in another file is compared with that of FLOAT:
`Unexpected size for the external weights!`

## Example
```onnx
agraph (float[N] x) => (float[N] y)
<uint16[2] w = {1, 2}> {
  y = Relu (x)
}
```

## Instead
```onnx
agraph (float[N] x) => (float[N] y)
<int32[2] w = {1, 2}> {
  y = Relu (x)
}
```

## Fix
Remove it when it is left over. Store integers as INT32 or INT64; what was quantized to 16 bits is to be quantized again to INT8
([Quantizing with ONNX Runtime](../quantizing.md)). BFLOAT16 before 9.0: export the model in FP16 or FP32, or
use a newer release, as far as its operators accept BF16. DOUBLE: store it as FLOAT, or in the model itself.

## Evidence
onnx-tensorrt `WeightsContext.cpp`, `convertOnnxWeights` (8.0 to 10.10) and `validateOnnxInitializer` (10.0 on). DOUBLE in another
file: TensorRT-RTX 1.5.0 and 1.6.1 refuse it, 1.7.1 accepts it.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::external_doubles_misread, gates::external_doubles_read, gates::tensorrt_rtx,
              gates::bfloat16_network, gates::int4_network, gates::float4_network},
};

}  // namespace trtcheck::rules::initializer_type_unsupported
