#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "view/conv_view.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::quantized_layer_too_small {
namespace {

constexpr std::int64_t kEnough = 16;
constexpr std::int64_t kStep = 8;

bool is_quantized(const RuleContext& context) {
  const LayerQuantization layer = layer_quantization(context.view(), context.node());
  return layer.int8() || layer.fp8();
}

std::string_view type_of(const RuleContext& context) {
  return layer_quantization(context.view(), context.node()).int8() ? "INT8" : "FP8";
}

/// Spatial extents of the weights; empty: one of them is not known.
std::vector<std::int64_t> kernel_of(const RuleContext& context) {
  std::vector<std::int64_t> made;
  const auto dims = context.shape(context.conv().weight).dims;
  for (std::size_t axis = 2; axis < dims.size(); ++axis) {
    if (!dims[axis].is_literal()) return {};
    made.push_back(dims[axis].value());
  }
  return made;
}

/// What pays although there are few channels, or may: nobody knows the kernel.
bool pays(const RuleContext& context, std::int64_t in, std::int64_t out) {
  const std::vector<std::int64_t> kernel = kernel_of(context);
  if (kernel.empty()) return true;
  const bool is_cubic = std::ranges::all_of(kernel, [&](std::int64_t size) { return size == kernel.front(); });
  const auto pair = dequantized(context.view(), context.conv().data);
  const bool reads_input = pair && pair->source && !context.model().value(pair->source).producer;
  return is_cubic && (in % kStep == 0 || out % kStep == 0) && (reads_input || in >= kEnough || out >= kEnough);
}

void check_conv(RuleContext& context) {
  // FP8 and groups have rules of their own.
  const ConvView& conv = context.conv();
  if (conv.group != 1 || !conv.in_channels || !conv.out_channels) return;
  if (!layer_quantization(context.view(), context.node()).int8()) return;
  const std::int64_t in = *conv.in_channels;
  const std::int64_t out = *conv.out_channels;
  if ((in >= kEnough && out >= kEnough) || pays(context, in, out)) return;
  context
      .add(fmt::format("INT8 Conv of {} input and {} output channels: Tensor Cores want {} and more, the "
                       "rest is padded, and FP16 is often as fast",
                       in, out, kEnough))
      .reason("an INT8 convolution of few channels")
      .fix("leave the layer in float");
}

struct Product {
  std::int64_t rows = 0;     ///< M; 0 = not known
  std::int64_t columns = 0;  ///< N
  std::int64_t depth = 0;    ///< K
};

std::int64_t extent(std::span<const Dim> dims, std::size_t from_behind) {
  if (dims.size() < from_behind) return 0;
  const Dim dim = dims[dims.size() - from_behind];
  return dim.is_literal() ? dim.value() : 0;
}

Product product(const RuleContext& context) {
  const Node& node = context.node();
  const auto result = context.shape(node.output(0)).dims;
  const auto weight = context.shape(node.input(1)).dims;
  const bool is_transposed = node.op_type == "Gemm" && int_attribute(node, "transB", 0) != 0;
  if (weight.size() < 2) return {};
  return {extent(result, 2), extent(result, 1), extent(weight, is_transposed ? 1 : 2)};
}

bool is_stored(const RuleContext& context, ValueId value) { return context.shapes().folds_to_constant(value); }

/// A vector times a matrix. Where weights are stored, rows of several batches are multiplied at once.
bool is_of_one_vector(const RuleContext& context, const Product& sizes) {
  const Node& node = context.node();
  const bool has_weights = is_stored(context, node.input(0)) || is_stored(context, node.input(1));
  const bool is_batched = context.shape(node.output(0)).dims.size() > 2;
  return !(has_weights && is_batched) && (sizes.rows == 1 || sizes.columns == 1);
}

void check_product(RuleContext& context) {
  if (!is_quantized(context)) return;
  const Product sizes = product(context);
  const std::string_view op = context.node().op_type;
  if (is_of_one_vector(context, sizes)) {
    context
        .add(fmt::format("{} {} multiplies a matrix by one vector, which no Tensor Core does: float is often as fast",
                         type_of(context), op))
        .reason("a quantized product of one vector")
        .fix("leave the layer in float, or build it for more rows");
    return;
  }
  const bool is_narrow = sizes.columns > 0 && sizes.columns < kEnough;
  const bool is_shallow = sizes.depth > 0 && sizes.depth < kEnough;
  if (!is_narrow && !is_shallow) return;
  context
      .add(fmt::format("{} {} has {} = {}: Tensor Cores want {} and more, and FP16 is often as fast", type_of(context),
                       op, is_narrow ? "N" : "K", is_narrow ? sizes.columns : sizes.depth, kEnough))
      .reason("a quantized product of small extents")
      .fix("leave the layer in float");
}

void check(RuleContext& context) {
  if (context.node().op_type == "Conv") return check_conv(context);
  check_product(context);
}

constexpr std::string_view kOps[] = {"Conv", "Gemm", "MatMul"};
constexpr std::string_view kEvidence[] = {
    "NVIDIA/Model-Optimizer modelopt/onnx/quantization/graph_utils.py@a2fbac7b",
    "https://github.com/NVIDIA/TensorRT/issues/1310",
    "https://github.com/NVIDIA/TensorRT/issues/3987",
};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD108",
    .name = "quantized-layer-too-small",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "a quantized layer too small to gain from it",
    .docs = R"(## What it checks
Layers with Q/DQ on both operands that NVIDIA's own quantizer leaves in float:

- Conv in INT8, of one group, with fewer than 16 input or output channels. It passes when its kernel is cubic, one of the two counts is a multiple of 8, and
  it reads the network input or has 16 channels on one side: the first layer of an image network does.
- MatMul and Gemm in INT8 or FP8 of one row or one column, or with K or N below 16.

Sizes that are not known are not judged. FP8 convolutions are [fp8-conv-shape](fp8-conv-shape.md), groups
[int8-group-not-multiple-of-4](int8-group-not-multiple-of-4.md) and [int8-depthwise-conv](int8-depthwise-conv.md).

## Why TensorRT cares
Kernels on Tensor Cores process channels in groups of 16 or 32. Fewer are padded, and the Q and DQ around the layer cost more than it gains. It is built all the same.

## Example
```onnx advice=yes
agraph (float[1,4,8,8] x) => (float[1,12,8,8] y)
<float a = {0.05}, int8 zero = {0}, float[12,4,1,1] w = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, a, zero)
  wd = DequantizeLinear(wq, a, zero)
  y = Conv<kernel_shape=[1,1]>(xd, wd)
}
```

## Instead
```onnx advice=yes
agraph (float[1,4,8,8] x) => (float[1,12,8,8] y)
<float[12,4,1,1] w = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}> {
  y = Conv<kernel_shape=[1,1]>(x, w)
}
```

## Fix
Leave the layer out of the quantization.

## Evidence
ModelOpt's choice of the layers that it quantizes (`find_nodes_from_convs_to_exclude`, `find_nodes_from_matmul_to_exclude`), and answers of
maintainers on INT8 with few channels (NVIDIA/TensorRT issues 1310 and 3987). How fast a layer really is nobody measured here.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::quantized_layer_too_small
