#include "rules/hardware/dla_layers.hpp"

#include <algorithm>
#include <array>

#include "target/dla.hpp"
#include "view/operators.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules {
namespace {

// NVIDIA's guide, DLA Supported Layers and Restrictions; NvInfer.h names fewer (no Div, Pow, LeakyRelu). Beyond that,
// operators that become such layers in some release: a global pooling is a pooling or a reduction, Split and Pad are
// slices, Gemm was a fully connected layer; Cast, Identity and Dropout are dropped or move with their neighbours.
constexpr auto kOperators = std::to_array<std::string_view>({
    "Abs",
    "Add",
    "Atan",
    "AveragePool",
    "BatchNormalization",
    "Cast",
    "Clip",
    "Concat",
    "Conv",
    "ConvTranspose",
    "Cos",
    "DepthToSpace",
    "Div",
    "Dropout",
    "Equal",
    "Flatten",
    "Gemm",
    "GlobalAveragePool",
    "GlobalMaxPool",
    "Greater",
    "Identity",
    "LRN",
    "LeakyRelu",
    "Less",
    "Max",
    "MaxPool",
    "Min",
    "Mul",
    "PRelu",
    "Pad",
    "Pow",
    "ReduceMax",
    "Relu",
    "Reshape",
    "Resize",
    "Sigmoid",
    "Sin",
    "Slice",
    "Softmax",
    "SpaceToDepth",
    "Split",
    "Squeeze",
    "Sub",
    "Sum",
    "Tanh",
    "Transpose",
    "Unsqueeze",
    "Upsample",
});
static_assert(std::ranges::is_sorted(kOperators));

// Their results are sizes and constants, or their bodies are looked at.
constexpr auto kNoLayers =
    std::to_array<std::string_view>({"Constant", "ConstantOfShape", "If", "Loop", "Scan", "Shape", "Size"});

bool is_float(DataType type) {
  return type == DataType::float32 || type == DataType::float16 || type == DataType::bfloat16;
}

/// The average of a window that its padding does not count in.
bool leaves_padding_out(const Node& node) {
  const Attribute* pads = node.attribute("pads");
  const Attribute* counted = node.attribute("count_include_pad");
  const bool is_padded = pads != nullptr && std::ranges::any_of(pads->ints(), [](auto pad) { return pad != 0; });
  return is_padded && (counted == nullptr || counted->i() == 0);
}

}  // namespace

bool is_float_layer(const RuleContext& context, NodeId id) {
  const Node& node = context.model().node(id);
  if (is_quantize(node) || is_dequantize(node) || std::ranges::find(kNoLayers, node.op_type) != kNoLayers.end()) {
    return false;
  }
  // The nodes of a function's body are asked themselves.
  const Handler handler = context.view().handler(id);
  if (handler == Handler::function || handler == Handler::none || handler == Handler::refused) return false;
  const auto is_computed = [&](ValueId value) {
    return value && is_float(context.shape(value).type) && !context.shape(value).is_known &&
           !context.shapes().folds_to_constant(value);
  };
  return std::ranges::any_of(node.inputs, is_computed);
}

bool has_dla_layer(const RuleContext& context, NodeId id) {
  if (context.view().handler(id) != Handler::importer) return false;
  const Node& node = context.model().node(id);
  if (is_xavier(context.target())) {
    if (node.op_type == "Softmax") return false;
    if (node.op_type == "AveragePool" && leaves_padding_out(node)) return false;
  }
  return std::ranges::binary_search(kOperators, node.op_type);
}

bool has_any_dla_layer(const RuleContext& context) {
  return std::ranges::any_of(context.nodes(),
                             [&](NodeId id) { return is_float_layer(context, id) && has_dla_layer(context, id); });
}

}  // namespace trtcheck::rules
