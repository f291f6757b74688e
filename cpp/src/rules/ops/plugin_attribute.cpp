#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/core.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules::plugin_attribute {
namespace {

bool is_beyond_int32(std::int64_t number) {
  return number < std::numeric_limits<std::int32_t>::min() || number > std::numeric_limits<std::int32_t>::max();
}

/// Types of tensors that a plugin field has a type for.
bool is_field_type(DataType type) {
  switch (type) {
    case DataType::float32:
    case DataType::float64:
    case DataType::float16:
    case DataType::bfloat16:
    case DataType::int8:
    case DataType::int16:
    case DataType::int32:
    case DataType::string:
      return true;
    default:
      return false;
  }
}

/// What becomes of the attribute on its way to the plugin; "" = nothing.
std::string_view what_is_lost(const Model& model, const Attribute& attribute) {
  switch (attribute.type) {
    case AttributeType::int_:
      return is_beyond_int32(attribute.i()) ? "is cut to 32 bits" : "";
    case AttributeType::ints:
      return std::ranges::any_of(attribute.ints(), is_beyond_int32) ? "is cut to 32 bits" : "";
    case AttributeType::strings:
      return attribute.strings().size() > 1 ? "arrives as one text with a zero byte after each part" : "";
    case AttributeType::tensor:
      return is_field_type(model.tensor(attribute.t()).type) ? "" : "has a type that fields of plugins do not have";
    case AttributeType::undefined:
    case AttributeType::float_:
    case AttributeType::floats:
    case AttributeType::string:
      return "";
    default:
      return "has a type that fields of plugins do not have";
  }
}

void check(RuleContext& context) {
  for (const NodeId id : context.nodes()) {
    const OperatorView& op = context.operator_of(id);
    const Handler handler = context.view().handler(id);
    if (handler != Handler::builtin_plugin && handler != Handler::user_plugin) continue;
    for (const Attribute& attribute : context.model().node(id).attributes()) {
      const std::string_view lost = what_is_lost(context.model(), attribute);
      if (lost.empty()) continue;
      FindingBuilder finding = context.add(id, fmt::format("attribute {} of {} `{}` {} before the plugin sees it",
                                                           attribute.name, op.op_type, context.label(id), lost));
      finding.reason(lost).fix(
          "hand it over in a form that plugins accept: FLOAT, INT of 32 bits, text, or a tensor of these");
      if (attribute.type == AttributeType::strings) finding.severity(Severity::info);
    }
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxOpImporters.cpp loadFields and copyField, 8.0 to 10.1"};
constexpr std::string_view kMessages[] = {"is unsupported in plugin fields", "are unsupported as plugin fields"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS113",
    .name = "plugin-attribute",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an attribute of a plugin that does not arrive there as it is in the file",
    .docs = R"(## What it checks
Attributes of nodes that become plugins: integers beyond 32 bits, lists of strings, tensors of UINT8, INT64, BOOL and other types that fields of
plugins do not have, graphs, types and lists of tensors.

## Why TensorRT cares
A plugin reads its attributes as fields. Integers become 32-bit ones, several strings become one text with zero bytes in it, which is an info here.
For other types the parser makes an error that it never raises: the plugin gets a field without data or without type. An attribute that
the plugin does not ask for is not read at all, which no file shows.

## Example
```onnx target=9.3
<ir_version: 10, opset_import: ["" : 17, "trt" : 1]>
agraph (float[N,4] x) => (float[N,4] y) {
  y = trt.MultiscaleDeformableAttnPlugin_TRT <step = 4294967297> (x)
}
```

## Instead
```onnx target=9.3
<ir_version: 10, opset_import: ["" : 17, "trt" : 1]>
agraph (float[N,4] x) => (float[N,4] y) {
  y = trt.MultiscaleDeformableAttnPlugin_TRT <step = 1> (x)
}
```

## Fix
Use FLOAT, integers of 32 bits, text, or tensors of FLOAT, FLOAT16, INT8, INT32.

## Evidence
onnx-tensorrt `onnxOpImporters.cpp`, `loadFields` and `copyField` (8.0, 8.6, 10.1); later releases were not read.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::plugin_attribute
