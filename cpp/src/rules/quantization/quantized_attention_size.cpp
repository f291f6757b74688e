#include <optional>
#include <string>

#include <fmt/format.h>

#include "model/walk.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::quantized_attention_size {
namespace {

constexpr std::size_t kLookAround = 12;
// Bounds of NVIDIA's quantization tool.
constexpr std::int64_t kLongestInt8 = 512;
constexpr std::int64_t kSmallestHead = 8;
constexpr std::int64_t kLargestHead = 256;
// Release notes of 10.6, of Ada.
constexpr std::int64_t kLongestAda = 3072;
constexpr std::int64_t kLargestHeadAda = 64;
constexpr ComputeCapability kAda{8, 9};

/// The matrix product that makes the scores of a Softmax: through scaling, mask and Q/DQ.
NodeId scores_of(const RuleContext& context, ValueId value) {
  NodeId product;
  walk<kLookAround>(value, [&](ValueId at, auto& onward) {
    const NodeId id = producer_of(context.model(), at);
    if (!id) return false;
    const Node& node = context.model().node(id);
    if (node.op_type == "MatMul") {
      product = id;
      return true;
    }
    if (is_a(node.op_type, kinds::between_attention_products)) onward.add(node.input(node.op_type == "Where" ? 2 : 0));
    return false;
  });
  return product;
}

bool feeds_product(const RuleContext& context, ValueId value) {
  const Walked end = walk<kLookAround>(value, [&](ValueId at, auto& onward) {
    const NodeId id = sole_reader(context.model(), at);
    if (!id) return false;
    const Node& node = context.model().node(id);
    if (node.op_type == "MatMul") return true;
    if (is_a(node.op_type, kinds::between_attention_products)) onward.add(node.output(0));
    return false;
  });
  return end == Walked::found;
}

/// Extent `from_end` places before the end; nothing: not known.
std::optional<std::int64_t> extent(const ValueShape& shape, std::size_t from_end) {
  if (!shape.has_rank || shape.rank() < from_end) return std::nullopt;
  const Dim dim = shape.dims[shape.rank() - from_end];
  return dim.is_literal() ? std::optional(dim.value()) : std::nullopt;
}

/// "" = it is inside of what is fused, or not known.
std::string outside(const RuleContext& context, bool fp8, std::optional<std::int64_t> length,
                    std::optional<std::int64_t> head) {
  if (!fp8) {
    return length > kLongestInt8
               ? fmt::format("its sequences have {} elements, INT8 attention is fused up to {}", *length, kLongestInt8)
               : "";
  }
  if (head && (*head <= kSmallestHead || *head > kLargestHead)) {
    return fmt::format("its heads have {} elements, FP8 attention is fused from {} to {}", *head, kSmallestHead + 1,
                       kLargestHead);
  }
  const bool limited = context.target().compute_capability == kAda && !context.has(gates::fp8_attention_on_ada);
  if (limited && (length > kLongestAda || head > kLargestHeadAda)) {
    return fmt::format("on compute capability 8.9 {} fuses FP8 attention for sequences up to {} and heads up to {}",
                       context.release().name(), kLongestAda, kLargestHeadAda);
  }
  return "";
}

void check(RuleContext& context) {
  const Node& softmax = context.node();
  const NodeId scores = scores_of(context, softmax.input(0));
  if (!scores || !feeds_product(context, softmax.output(0))) return;
  const Node& product = context.model().node(scores);
  const LayerQuantization layer = layer_quantization(context.view(), product);
  if (!layer.int8() && !layer.fp8()) return;
  const std::string why = outside(context, layer.fp8(), extent(context.shape(softmax.input(0)), 1),
                                  extent(context.shape(product.input(0)), 1));
  if (why.empty()) return;
  context.add(fmt::format("attention around this Softmax is quantized and not fused into one kernel: {}", why))
      .reason(why)
      .note("its scores are computed here", scores)
      .fix("leave the two matrix products of attention in FP16, quantize the projections only");
}

constexpr std::string_view kOps[] = {"Softmax"};
constexpr std::string_view kEvidence[] = {
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/graph_utils.py@a2fbac7b",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/getting-started/release-notes-10/10.6.0.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/getting-started/release-notes-10/10.7.0.html",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ226",
    .name = "quantized-attention-size",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "quantized attention of a size that is not fused",
    .docs = R"(## What it checks
MatMul, Softmax, MatMul with Q/DQ on the inputs of the first: INT8 with sequences of more than 512 elements, FP8 with heads of 8 elements and less or
more than 256; in 10.6 on compute capability 8.9 also FP8 with sequences above 3072 or heads above 64. Sizes that are not numbers are not looked at.

## Why TensorRT cares
Attention is worth quantizing when TensorRT makes one kernel of it. Outside of these sizes it runs as single layers, with the conversions between
float and codes on top, and is mostly slower than in FP16.

## Example
```onnx
agraph (float[1,2,1024,64] q, float[1,2,64,1024] k, float[1,2,1024,64] v) => (y)
<float a = {0.05}, int8 z = {0}> {
  qq = QuantizeLinear(q, a, z)
  qd = DequantizeLinear(qq, a, z)
  kq = QuantizeLinear(k, a, z)
  kd = DequantizeLinear(kq, a, z)
  s = MatMul(qd, kd)
  p = Softmax(s)
  pq = QuantizeLinear(p, a, z)
  pd = DequantizeLinear(pq, a, z)
  vq = QuantizeLinear(v, a, z)
  vd = DequantizeLinear(vq, a, z)
  y = MatMul(pd, vd)
}
```

## Instead
```onnx
agraph (float[1,2,512,64] q, float[1,2,64,512] k, float[1,2,512,64] v) => (y)
<float a = {0.05}, int8 z = {0}> {
  qq = QuantizeLinear(q, a, z)
  qd = DequantizeLinear(qq, a, z)
  kq = QuantizeLinear(k, a, z)
  kd = DequantizeLinear(kq, a, z)
  s = MatMul(qd, kd)
  p = Softmax(s)
  pq = QuantizeLinear(p, a, z)
  pd = DequantizeLinear(pq, a, z)
  vq = QuantizeLinear(v, a, z)
  vd = DequantizeLinear(vq, a, z)
  y = MatMul(pd, vd)
}
```

## Fix
Leave the two products in FP16 and quantize the projections around them.

## Evidence
Release notes of 10.6 and 10.7; the other bounds are those of NVIDIA's quantization tool, hence *possible*.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
    .gates = {gates::fp8_attention_on_ada},
};

}  // namespace trtcheck::rules::quantized_attention_size
