#include <optional>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::concat_scales_differ {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  std::optional<Dequantized> first;
  for (const ValueId input : node.inputs) {
    const auto pair = input ? dequantized(context.view(), input) : std::nullopt;
    if (!pair) continue;
    if (!first) {
      first = pair;
      continue;
    }
    const Node& one = context.model().node(first->dq);
    const Node& other = context.model().node(pair->dq);
    if (same_scale(context.view(), one, other) != false) continue;
    context
        .add(fmt::format(
            "inputs of Concat are quantized with different scales, `{}` and `{}`: the codes cannot be copied "
            "next to each other",
            context.name(one.input(1)), context.name(other.input(1))))
        .value(context.name(other.output(0)))
        .reason("a Concat of different scales")
        .note("each branch gets a kernel that quantizes it again, or Concat runs in float", pair->dq)
        .fix("give all inputs and the result of Concat one scale, that of the widest range");
    return;
  }
}

constexpr std::string_view kOps[] = {"Concat"};
constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "https://github.com/NVIDIA/TensorRT/issues/2597",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ216",
    .name = "concat-scales-differ",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "inputs of a Concat are quantized with different scales",
    .docs = R"(## What it checks
Concat inputs that come out of DequantizeLinear nodes: their scales must be equal, by value.

## Why TensorRT cares
With one scale Concat disappears: every branch writes its codes where they belong. With different ones a branch is quantized again first, or Concat
runs in float.

## Example
```onnx
agraph (float[1,4] x, float[1,4] z) => (y)
<float a = {0.05}, float b = {0.1}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  zq = QuantizeLinear(z, b, zero)
  zd = DequantizeLinear(zq, b, zero)
  c = Concat<axis=1>(xd, zd)
  cq = QuantizeLinear(c, a, zero)
  y = DequantizeLinear(cq, a, zero)
}
```

## Instead
```onnx
agraph (float[1,4] x, float[1,4] z) => (y)
<float a = {0.05}, float b = {0.1}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  zq = QuantizeLinear(z, a, zero)
  zd = DequantizeLinear(zq, a, zero)
  c = Concat<axis=1>(xd, zd)
  cq = QuantizeLinear(c, a, zero)
  y = DequantizeLinear(cq, a, zero)
}
```

## Fix
One scale for all inputs and the result.

## Evidence
Explicit quantization guide, and NVIDIA/TensorRT issue 2597. TensorRT-RTX 1.5, 1.6 and 1.7 build the Example.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::concat_scales_differ
