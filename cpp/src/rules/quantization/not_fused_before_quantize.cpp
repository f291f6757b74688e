#include <string_view>

#include <fmt/format.h>

#include "model/walk.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::not_fused_before_quantize {
namespace {

constexpr std::size_t kLookAhead = 8;

bool is_arithmetic(const Node& node) {
  return node.inputs.size() == 2 && (node.op_type == "Add" || node.op_type == "Sub" || node.op_type == "Mul");
}

/// Add, Sub and Mul with a constant of one element, or of one per channel, become a part of the layer.
bool is_scale_of_channels(const RuleContext& context, const Node& node, ValueId value) {
  if (!is_arithmetic(node)) return false;
  const ValueId other = node.inputs[0] == value ? node.inputs[1] : node.inputs[0];
  if (!other || !context.shapes().folds_to_constant(other)) return false;
  const ValueShape& constant = context.shape(other);
  const ValueShape& data = context.shape(value);
  if (!constant.has_rank || !data.has_rank || data.rank() < 2) return true;  // not to be told
  const std::string_view layer = context.node().op_type;
  const std::size_t channels = is_a(layer, kinds::matrix_product) ? 1 : data.rank() - 1;  // counted from the end
  for (std::size_t axis = 0; axis < constant.rank(); ++axis) {
    if (!constant.dims[axis].is(1) && constant.rank() - axis != channels) return false;
  }
  return true;
}

/// The sum of two tensors of one shape is taken into the kernel.
bool is_fused_sum(const RuleContext& context, const Node& node) {
  if (node.op_type != "Add" || node.inputs.size() != 2) return false;
  const ValueShape& a = context.shape(node.inputs[0]);
  const ValueShape& b = context.shape(node.inputs[1]);
  if (!a.has_rank || !b.has_rank) return true;
  if (a.rank() != b.rank()) return false;
  for (std::size_t axis = 1; axis < a.rank(); ++axis) {
    if (a.dims[axis].is(1) != b.dims[axis].is(1)) return false;
  }
  return true;
}

bool is_quantized_next(const RuleContext& context, ValueId value) {
  const Walked end = walk<kLookAhead>(value, [&](ValueId at, auto& onward) {
    const NodeId id = sole_reader(context.model(), at);
    if (!id) return false;
    const Node& reader = context.model().node(id);
    if (is_quantize(reader)) return true;
    if (fuses_with_product(reader) || commutes_with_qdq(reader)) onward.add(reader.output(0));
    return false;
  });
  return end == Walked::found;
}

/// Quantized in front and float behind.
void check_gelu(RuleContext& context, NodeId id) {
  const Node& gelu = context.model().node(id);
  // What leaves the network is float in any case.
  if (context.node().op_type != "Conv" || readers_of(context.model(), gelu.output(0)).empty()) return;
  context
      .add(fmt::format(
          "Gelu `{}` after quantized Conv writes float: the two are one kernel only where both sides are INT8",
          context.label(id)))
      .value(context.name(gelu.output(0)))
      .reason("Gelu in float")
      .fix("quantize the result of Gelu as well", id);
}

void tell(RuleContext& context, NodeId id, ValueId value) {
  const Node& reader = context.model().node(id);
  FindingBuilder finding = context.add(
      fmt::format("{} `{}` is between {} and the QuantizeLinear after it: {} writes float, and quantizing is a kernel "
                  "of its own",
                  reader.op_type, context.label(id), context.node().op_type, context.node().op_type));
  finding.value(context.name(value)).reason(reader.op_type);
  if (is_arithmetic(reader)) {
    finding.note("it fuses with operands of equal shape and with constants that are scalars or one number per channel",
                 id);
  }
  finding.fix(fmt::format("quantize in front of {} as well", reader.op_type), id);
}

void check(RuleContext& context) {
  const LayerQuantization layer = layer_quantization(context.view(), context.node());
  if (!layer.int8() && !layer.fp8()) return;
  bool is_moved = false;  // Reshape or Transpose: where the channels are is not known any more
  walk<kLookAhead>(context.node().output(0), [&](ValueId value, auto& onward) {
    const NodeId id = sole_reader(context.model(), value);
    if (!id) return true;
    const Node& reader = context.model().node(id);
    if (is_moved && is_arithmetic(reader)) return true;
    if (reader.op_type == "Gelu" && !is_quantized_next(context, reader.output(0))) {
      check_gelu(context, id);
      return true;
    }
    is_moved = is_moved || (commutes_with_qdq(reader) && !fuses_with_product(reader));
    if (fuses_with_product(reader) || commutes_with_qdq(reader) || is_scale_of_channels(context, reader, value) ||
        is_fused_sum(context, reader)) {
      onward.add(reader.output(0));
      return false;
    }
    const bool is_apart =
        is_a(reader.op_type, kinds::keeps_a_kernel_apart) && is_quantized_next(context, reader.output(0));
    if (is_apart) tell(context, id, value);
    return true;
  });
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/performance/best-practices.html",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ223",
    .name = "not-fused-before-quantize",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "something stands between a quantized layer and its quantizer",
    .docs = R"(## What it checks
Quantized Conv, ConvTranspose, Gemm and MatMul with a QuantizeLinear after them: in between only what becomes a part of the layer. Looked for are
Pad, Cast, AveragePool, GlobalAveragePool, Resize, and Add, Sub or Mul with an operand of another shape or with a constant that is neither a
scalar nor one number per channel. Also a Gelu after a quantized Conv whose result is read and not quantized.

## Why TensorRT cares
A quantized layer writes INT8 when its result is quantized directly, or after what fuses with it: BatchNormalization, an activation, a sum with a
tensor of equal shape. Otherwise it writes float, and quantizing is a kernel of its own. Convolution with pooling or GELU fuses only where both sides
have one precision: GELU does where it is quantized on both sides.

## Example
```onnx
agraph (float[1,2,4,4] x) => (y)
<float[2,2,1,1] w = {1,1,1,1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}, int64[8] pads = {0,0,1,1,0,0,1,1}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  t = Pad(c, pads)
  q = QuantizeLinear(t, a, zero)
  y = DequantizeLinear(q, a, zero)
}
```

## Instead
```onnx
agraph (float[1,2,4,4] x) => (y)
<float[2,2,1,1] w = {1,1,1,1}, float a = {0.05}, float b = {0.01}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, b, zero)
  wd = DequantizeLinear(wq, b, zero)
  c = Conv<kernel_shape=[1,1]>(xd, wd)
  t = Relu(c)
  q = QuantizeLinear(t, a, zero)
  y = DequantizeLinear(q, a, zero)
}
```

## Fix
Put a pair directly after the layer too, or move the operator.

## Evidence
Explicit quantization guide; list of fusions in NVIDIA's guide to best practices.
)",
    .evidence = kEvidence,
    .ops = kinds::product.operators,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::not_fused_before_quantize
