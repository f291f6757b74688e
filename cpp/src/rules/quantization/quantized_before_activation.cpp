#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "facts/qdq_facts.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

constexpr std::array<std::string_view, 5> kFused{"BatchNormalization", "Clip", "LeakyRelu", "PRelu", "Relu"};

/// The nodes that read what comes out of the pair behind `q`; empty when it is no complete pair.
std::vector<NodeId> behind_pair(const RuleContext& context, NodeId q) {
  std::vector<NodeId> nodes;
  for (const Use& dq : readers_of(context.model(), context.model().node(q).output(0))) {
    if (!is_dequantize(context.model().node(dq.node))) return {};
    for (const Use& reader : readers_of(context.model(), context.model().node(dq.node).output(0))) {
      nodes.push_back(reader.node);
    }
  }
  return nodes;
}

/// The Q behind `value`, when that is its only reader.
NodeId only_quantizer(const RuleContext& context, ValueId value) {
  const std::span<const Use> uses = readers_of(context.model(), value);
  return uses.size() == 1 && is_quantize(context.model().node(uses[0].node)) ? uses[0].node : NodeId{};
}

void report(RuleContext& context, ValueId value, std::string_view after) {
  const NodeId q = only_quantizer(context, value);
  if (!q) return;
  const std::vector<NodeId> nodes = behind_pair(context, q);
  const auto is_fused = [&](NodeId id) {
    return std::ranges::find(kFused, context.model().node(id).op_type) != kFused.end();
  };
  if (nodes.empty() || !std::ranges::all_of(nodes, is_fused)) return;
  const Node& next = context.model().node(nodes[0]);
  context
      .add(q,
           fmt::format("Q/DQ stands between {} `{}` and {} `{}`, which TensorRT would fuse into one INT8 layer", after,
                       context.label(producer_of(context.model(), value)), next.op_type, context.label(nodes[0])))
      .value(context.name(value))
      .note(fmt::format("{} then stays a kernel of its own, in float", next.op_type), nodes[0])
      .fix(next.op_type == "BatchNormalization" ? "move the pair behind BatchNormalization and its activation, or fold "
                                                  "BatchNormalization into the weights first"
                                                : "move the pair behind the activation");
}

void check(RuleContext& context) {
  const Node& conv = context.node();
  const ValueId result = conv.output(0);
  report(context, result, conv.op_type);
  const std::span<const Use> uses = readers_of(context.model(), result);
  if (uses.size() != 1) return;
  const Node& norm = context.model().node(uses[0].node);
  if (norm.op_type == "BatchNormalization") report(context, norm.output(0), norm.op_type);
}

constexpr std::string_view kOps[] = {"Conv", "ConvTranspose"};
constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/graph_utils.py@a2fbac7b",
};

}  // namespace

extern constinit const Rule quantized_before_activation{
    .code = "QDQ204",
    .name = "quantized-before-activation",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "Q/DQ between a convolution and the BatchNormalization or activation behind it",
    .docs = R"(## What it checks
A Q/DQ pair that is the only thing between Conv (or Conv and BatchNormalization) and a BatchNormalization, Relu, Clip, LeakyRelu or PRelu.

## Why TensorRT cares
Convolution, BatchNormalization and activation become one layer, with one quantizer behind. A pair inside breaks that up, leaves float kernels behind, and before
a Relu wastes half of the codes on values that are cut off anyway.

## Example
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  cq = QuantizeLinear(c, a, zero)
  cd = DequantizeLinear(cq, a, zero)
  y = Relu(cd)
}
```

## Instead
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  r = Relu(c)
  rq = QuantizeLinear(r, a, zero)
  y = DequantizeLinear(rq, a, zero)
}
```

## Fix
Put the pair behind the last operator of the chain, or fold BatchNormalization into the weights before quantizing.

## Evidence
Documented in the explicit quantization guide.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules
