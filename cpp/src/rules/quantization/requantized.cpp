#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::requantized {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const auto before = dequantized(context.view(), node.input(0));
  if (!before) return;
  const Node& dq = context.model().node(before->dq);
  if (same_scale(context.view(), dq, node) != false) return;
  context
      .add(fmt::format(
          "DequantizeLinear `{}` with scale `{}` is followed by QuantizeLinear with scale `{}`: the tensor is "
          "quantized again, by a kernel of its own",
          context.label(before->dq), context.name(dq.input(1)), context.name(node.input(1))))
      .value(context.name(node.input(0)))
      .reason("a tensor that is quantized again with another scale")
      .fix("use one scale on both sides, so that the two nodes cancel each other", before->dq);
}

constexpr std::string_view kOps[] = {"QuantizeLinear"};
constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ209",
    .name = "requantized",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a quantized tensor is quantized again with another scale",
    .docs = R"(## What it checks
A QuantizeLinear after a DequantizeLinear of another scale, also across layers that TensorRT moves Q and DQ over: MaxPool, Reshape, Transpose, Slice,
Identity ...

## Why TensorRT cares
DQ and Q of one scale cancel each other, and MaxPool and the like then run on the codes. With two scales every element is computed anew, by a kernel
of its own.

## Example
```onnx
agraph (float[1,1,4,4] x) => (y)
<float a = {0.05}, float b = {0.1}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  p = MaxPool<kernel_shape=[2,2]>(xd)
  pq = QuantizeLinear(p, b, zero)
  y = DequantizeLinear(pq, b, zero)
}
```

## Instead
```onnx
agraph (float[1,1,4,4] x) => (y)
<float a = {0.05}, float b = {0.1}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  p = MaxPool<kernel_shape=[2,2]>(xd)
  pq = QuantizeLinear(p, a, zero)
  y = DequantizeLinear(pq, a, zero)
}
```

## Fix
One scale on both sides of such a layer; quantization tools have an option for it.

## Evidence
Concluded from the fusion rules of the explicit quantization guide.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .check = check,
};

}  // namespace trtcheck::rules::requantized
