#include <algorithm>

#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::scales_differ_on_one_tensor {
namespace {

// The first quantizer of a tensor is the one that the others are held against, so that this stays linear.
constexpr std::size_t kReaders = 256;

/// The first Q that reads the same tensor, when it is another one with another scale; else none.
NodeId other_quantizer(const RuleContext& context) {
  const Node& node = context.node();
  if (!node.input(0)) return {};
  const auto users = context.model().value(node.input(0)).users;
  for (const Use& use : users.first(std::min(users.size(), kReaders))) {
    const Node& other = context.model().node(use.node);
    if (!is_quantize(other) || use.input != 0) continue;
    return use.node != context.node_id() && same_scale(context.view(), node, other) == false ? use.node : NodeId{};
  }
  return {};
}

void check(RuleContext& context) {
  const Node& node = context.node();
  const NodeId other = other_quantizer(context);
  if (!other) return;
  context
      .add(fmt::format("tensor `{}` is quantized here with scale `{}` and in `{}` with another, `{}`",
                       context.name(node.input(0)), context.name(node.input(1)), context.label(other),
                       context.name(context.model().node(other).input(1))))
      .value(context.name(node.input(0)))
      .note("the layer that makes the tensor can write one of the two only, the other costs a kernel of its own", other)
      .fix("use one Q/DQ pair, hence one scale, for all readers of the tensor");
}

constexpr std::string_view kOps[] = {"QuantizeLinear"};
constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/int8.py@a2fbac7b",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ206",
    .name = "scales-differ-on-one-tensor",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "one tensor is quantized with two different scales",
    .docs = R"(## What it checks
All QuantizeLinear nodes that read one tensor should have equal scales. Only constant scales are compared, by value.

## Why TensorRT cares
The layer that makes the tensor can be fused with one quantizer. Equal ones are merged, a different one becomes a kernel of its own; in a residual block that cuts
the INT8 chain.

## Example
```onnx
agraph (float[1,4] x) => (float[1,4] y)
<float a = {0.05}, float b = {0.1}, int8 zero = {0}> {
  p = QuantizeLinear(x, a, zero)
  pd = DequantizeLinear(p, a, zero)
  q = QuantizeLinear(x, b, zero)
  qd = DequantizeLinear(q, b, zero)
  y = Sum(pd, qd)
}
```

## Instead
```onnx
agraph (float[1,4] x) => (float[1,4] y)
<float a = {0.05}, int8 zero = {0}> {
  p = QuantizeLinear(x, a, zero)
  pd = DequantizeLinear(p, a, zero)
  y = Sum(pd, pd)
}
```

## Fix
One pair per tensor, with one scale, for all its readers.

## Evidence
Concluded from the fusion rules of the explicit quantization guide; NVIDIA's tool makes shared pairs for the same reason.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .check = check,
};

}  // namespace trtcheck::rules::scales_differ_on_one_tensor
