#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "model/tensor_values.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::scale_not_positive {
namespace {

constexpr std::int64_t kLimit = kMostElements;

/// " at index 3", nothing for the scale of a whole tensor.
std::string place_of(const std::vector<double>& values, std::vector<double>::const_iterator at) {
  return values.size() > 1 ? fmt::format(" at index {}", at - values.begin()) : std::string();
}

/// Everything becomes 0 behind QuantizeLinear and NaN behind DequantizeLinear; the builder takes it.
void check_infinite(RuleContext& context, const std::vector<double>& values) {
  const auto it = std::ranges::find_if(values, [](double value) { return std::isinf(value); });
  if (it == values.end()) return;
  const Node& node = context.node();
  const ValueId scale = node.input(1);
  FindingBuilder finding =
      context.add(fmt::format("scale `{}` of {} is infinite{}: every code is 0, and 0 times infinity is not a number",
                              context.name(scale), node.op_type, place_of(values, it)));
  finding.severity(Severity::warning).value(context.name(scale)).fix("calibrate again");
  if (is_dequantize(node)) finding.caused_by(producer_of(context.model(), node.input(0)));
}

/// Negative scales turn the sign, zeros make zeros: only what is no number does harm.
void check_number(RuleContext& context, const std::vector<double>& values) {
  const auto it = std::ranges::find_if(values, [](double value) { return value != value; });
  if (it == values.end()) return;
  const ValueId scale = context.node().input(1);
  context
      .add(fmt::format("scale `{}` of INT4 data is not a number at index {}, and so is what comes out",
                       context.name(scale), it - values.begin()))
      .severity(Severity::warning)
      .certainty(Certainty::likely)
      .value(context.name(scale))
      .fix("calibrate again");
}

/// Of an initializer or a Constant, whose numbers may be an attribute; also of one that a function is called with.
std::optional<std::vector<double>> stored_numbers(const RuleContext& context, ValueId scale) {
  scale = context.view().parser.argument(scale);
  if (!scale) return std::nullopt;
  if (const TensorId tensor = context.model().constant(scale)) return context.tensors().floats(tensor, kLimit);
  const Node* producer = context.producer(scale);
  if (producer == nullptr || producer->op_type != "Constant") return std::nullopt;
  if (const Attribute* one = producer->attribute("value_float")) return std::vector<double>{double{one->f()}};
  const Attribute* many = producer->attribute("value_floats");
  return many != nullptr ? std::optional(std::vector<double>(many->floats().begin(), many->floats().end()))
                         : std::nullopt;
}

void check(RuleContext& context) {
  const Node& node = context.node();
  const ValueId scale = node.input(1);
  const auto values = stored_numbers(context, scale);
  if (!values) return;
  const bool is_int4 = is_dequantize(node) && context.shape(node.input(0)).type == DataType::int4;
  if (is_int4 && context.has(gates::any_scale_of_int4)) return check_number(context, *values);
  const auto it = std::ranges::find_if(*values, [](double value) { return !(value > 0); });
  if (it == values->end()) return check_infinite(context, *values);
  FindingBuilder finding = context.add(fmt::format("scale `{}` of {} is {}{}, it must be positive", context.name(scale),
                                                   node.op_type, *it, place_of(*values, it)));
  finding.value(context.name(scale));
  if (is_dequantize(node)) finding.caused_by(producer_of(context.model(), node.input(0)));
  if (*it == 0) finding.note("a channel whose weights are all 0 typically ends up with scale 0");
  finding.fix(*it == 0 ? "replace zero scales by a small positive number (about 1e-7)" : "calibrate again");
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp QuantDequantLinearHelper, 10.10: `Scale coefficients must all be positive`",
    "NVIDIA/TensorRT include/NvInfer.h, IQuantizeLayer, 10.13",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 accept any scale of INT4 weights, and no other",
};
constexpr std::string_view kMessages[] = {"Scale coefficients must all be positive"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ103",
    .name = "scale-not-positive",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a quantization scale that is zero, negative, infinite or not a number",
    .docs = R"(## What it checks
Every element of a constant scale of QuantizeLinear and DequantizeLinear must be above 0. From 11.0 on, the scales of a DequantizeLinear of INT4 are free: there
only what is not a number is reported, as a warning. An infinite scale is one, too: it is positive, so the engine builds, and its numbers are NaN.

## Why TensorRT cares
The parser looks at the values: `Scale coefficients must all be positive`. Channels that died in quantization-aware training have the scale 0.

## Example
```onnx
agraph (float[1,4] x) => (float[1,4] y)
<float s = {0}, int8 z = {0}> {
  q = QuantizeLinear(x, s, z)
  y = DequantizeLinear(q, s, z)
}
```

## Instead
```onnx
agraph (float[1,4] x) => (float[1,4] y)
<float s = {0.05}, int8 z = {0}> {
  q = QuantizeLinear(x, s, z)
  y = DequantizeLinear(q, s, z)
}
```

## Fix
Write a small positive number for zero scales (the data there is 0 anyway); calibrate again for negative ones and NaN.

## Evidence
Parser source, 8.0 to 11.0, and the header. TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4, refuse scales that are not positive for INT8, FP8 and FP4 data
and for every QuantizeLinear, and build them for the DequantizeLinear of INT4 weights, per tensor, per axis and blocked. They build infinite ones.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::quantizer.operators,
    .check = check,
    .gates = {gates::any_scale_of_int4},
};

}  // namespace trtcheck::rules::scale_not_positive
