#include <algorithm>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::plugin_after_dequantize {
namespace {

bool is_plugin(const RuleContext& context, NodeId id) {
  const Handler handler = context.view().handler(id);
  return handler == Handler::user_plugin || handler == Handler::builtin_plugin;
}

void check(RuleContext& context) {
  for (const NodeId id : context.nodes()) {
    const Node& node = context.model().node(id);
    // A DequantizeLinear right in front; a plugin that takes codes has none.
    const auto is_pair = [&](ValueId input) {
      const NodeId producer = input ? producer_of(context.model(), input) : NodeId{};
      return producer && is_dequantize(context.model().node(producer));
    };
    if (is_dequantize(node) || is_quantize(node) || !is_plugin(context, id)) continue;
    const auto input = std::ranges::find_if(node.inputs, is_pair);
    if (input == node.inputs.end()) continue;
    context
        .add(id, fmt::format(
                     "plugin {} reads `{}` after DequantizeLinear: Q/DQ is not fused into plugins, it runs in float",
                     node.op_type, context.name(*input)))
        .value(context.name(*input))
        .reason(node.op_type)
        .fix("remove the pair, or write a plugin that accepts INT8 and has the scales as attributes");
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ218",
    .name = "plugin-after-dequantize",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a plugin reads data after DequantizeLinear",
    .docs = R"(## What it checks
An operator that a plugin serves (`--plugin`, or one that ships with TensorRT) and that reads the result of a DequantizeLinear.

## Why TensorRT cares
TensorRT does not fuse Q and DQ into plugins. The plugin gets floats that were rounded to 8 bits, and a kernel before it and one after it do that.

## Example
```onnx plugin=MyPlugin
agraph (float[1,4] x) => (float[1,4] y)
<float a = {0.05}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  y = com.example.MyPlugin(xd)
}
```

## Instead
```onnx plugin=MyPlugin
agraph (float[1,4] x) => (float[1,4] y)
<float a = {0.05}, int8 zero = {0}> {
  y = com.example.MyPlugin(x)
}
```

## Fix
Leave the plugin in float, or let it read INT8 codes, with the scales as its attributes.

## Evidence
Explicit quantization guide.
)",
    .evidence = kEvidence,
    .quantized_only = true,
    .check = check,
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::plugin_after_dequantize
