#include <algorithm>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::codes_at_the_border {
namespace {

bool is_of_main_graph(const RuleContext& context, ValueId value) {
  return context.model().graph(context.model().value(value).graph).kind == Graph::Kind::main;
}

bool is_dequantized_behind(const RuleContext& context, ValueId codes) {
  const auto users = context.model().value(codes).users;
  return std::ranges::any_of(users, [&](const Use& use) {
    const Node& reader = context.model().node(use.node);
    // What reads codes and is no DequantizeLinear gives codes, to be dequantized behind it.
    return use.input == 0 && (is_dequantize(reader) || !is_quantize(reader));
  });
}

void check(RuleContext& context) {
  const Node& node = context.node();
  const ValueId codes = is_quantize(node) ? node.output(0) : node.input(0);
  if (!codes || !is_of_main_graph(context, codes)) return;
  const Value& value = context.model().value(codes);
  if (is_quantize(node)) {
    if (!value.is_output && is_dequantized_behind(context, codes)) return;
    if (!value.is_output && value.users.empty()) return;
    context
        .add(value.is_output ? fmt::format("the codes `{}` leave the network: no DequantizeLinear follows", value.name)
                             : fmt::format("no DequantizeLinear follows: `{}` stays in codes", value.name))
        .value(value.name)
        .fix("end with DequantizeLinear, or read the output of the engine as codes and apply scale and format there");
    return;
  }
  if (!value.is_input || value.initializer) return;
  context.add(fmt::format("the codes `{}` enter the network: no QuantizeLinear stands before it", value.name))
      .value(value.name)
      .fix("start with QuantizeLinear, or feed the engine codes of this scale, in the format that it asks for");
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 build both forms",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ210",
    .name = "codes-at-the-border",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "quantized codes enter or leave the network",
    .docs = R"(## What it checks
A QuantizeLinear whose codes are an output of the network or meet no DequantizeLinear, and a DequantizeLinear that reads an input of the network.

## Why TensorRT cares
TensorRT builds it, and the engine then reads or returns INT8 in the type and format that the application has set; the scale is no part of the engine's
interface. A pair cut in two by mistake looks the same.

## Example
```onnx
agraph (float[1,4] x) => (int8[1,4] y)
<float a = {0.1}, int8 zero = {0}> {
  y = QuantizeLinear(x, a, zero)
}
```

## Instead
```onnx
agraph (float[1,4] x) => (float[1,4] y)
<float a = {0.1}, int8 zero = {0}> {
  q = QuantizeLinear(x, a, zero)
  y = DequantizeLinear(q, a, zero)
}
```

## Fix
Complete the pair; or keep the single node and have the application quantize with the same scale.

## Evidence
Explicit quantization guide; TensorRT-RTX 1.5, 1.6 and 1.7 build INT8 inputs and outputs.
)",
    .evidence = kEvidence,
    .ops = kinds::quantizer.operators,
    .check = check,
};

}  // namespace trtcheck::rules::codes_at_the_border
