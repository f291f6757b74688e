#include "rules/quantization/qdq_pattern.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "model/tensor_values.hpp"

namespace trtcheck::rules {
namespace {

constexpr TrtVersion kOnnxDefaultAxis{10, 13};
constexpr int kLookBack = 64;
constexpr std::int64_t kScaleLimit = kMostElements;

// Layers that TensorRT moves Q and DQ across, and those that it drops.
constexpr std::array<std::string_view, 9> kCommuting{"Dropout", "Flatten", "Identity",  "MaxPool",  "Reshape",
                                                     "Slice",   "Squeeze", "Transpose", "Unsqueeze"};

bool commutes(const Node& node) { return std::ranges::find(kCommuting, node.op_type) != kCommuting.end(); }

DataType as_parsed(DataType type) {
  // A UINT8 zero point (the ONNX default as well) is announced and then taken as INT8.
  return type == DataType::uint8 || type == DataType::undefined ? DataType::int8 : type;
}

std::int64_t normal(std::int64_t axis, const ValueShape& shape) {
  return axis < 0 && shape.has_rank ? axis + static_cast<std::int64_t>(shape.rank()) : axis;
}

}  // namespace

NodeId producer_id(const RuleContext& context, ValueId value) {
  return value ? context.model().value(value).producer : NodeId{};
}

std::vector<NodeId> readers(const RuleContext& context, ValueId value) {
  // They are asked for at every reader of one value; what a million nodes read is no pattern.
  constexpr std::size_t kMost = 1000;
  std::vector<NodeId> nodes;
  if (!value) return nodes;
  const std::span<const Use> users = context.model().value(value).users;
  for (const Use& use : users.first(std::min(users.size(), kMost))) nodes.push_back(use.node);
  return nodes;
}

std::optional<std::vector<std::int64_t>> constant_ints(const RuleContext& context, ValueId value, std::int64_t limit) {
  for (int step = 0; step < kLookBack && value; ++step) {
    if (const TensorId tensor = context.model().constant(value)) return context.tensors().ints(tensor, limit);
    const Node* node = context.producer(value);
    if (node == nullptr || (node->op_type != "Identity" && node->op_type != "Cast")) return std::nullopt;
    value = node->input(0);
  }
  return std::nullopt;
}

DataType code_type(const RuleContext& context, const Node& node) {
  if (is_dequantize(node)) {
    const DataType data = context.shape(node.input(0)).type;
    if (data != DataType::undefined) return data;
  }
  if (node.input(2)) return context.shape(node.input(2)).type;
  if (is_quantize(node)) return static_cast<DataType>(context.attr_int(node, "output_dtype", 0));
  return DataType::undefined;
}

bool is_made_by_quantizer(const RuleContext& context, ValueId codes) {
  const DataType type = context.shape(codes).type;
  std::vector<ValueId> pending{codes};
  for (std::size_t next = 0; next < pending.size(); ++next) {
    if (next == kLookBack) return true;
    const Node* node = context.producer(pending[next]);
    if (node == nullptr) return false;
    if (is_quantize(*node)) continue;
    bool passes_on = false;
    for (const ValueId input : node->inputs) {
      if (!input || context.shape(input).type != type || context.model().constant(input)) continue;
      passes_on = true;
      if (std::ranges::find(pending, input) == pending.end()) pending.push_back(input);
    }
    if (!passes_on) return false;
  }
  return true;
}

std::optional<Dequantized> dequantized(const RuleContext& context, ValueId value) {
  Dequantized found;
  for (int step = 0; step < kLookBack; ++step) {
    const NodeId id = producer_id(context, value);
    if (!id) return std::nullopt;
    const Node& node = context.model().node(id);
    if (is_dequantize(node)) {
      found.dq = id;
      found.source = node.input(0);
      found.code = as_parsed(code_type(context, node));
      const NodeId before = producer_id(context, node.input(0));
      if (before && is_quantize(context.model().node(before))) {
        found.q = before;
        found.source = context.model().node(before).input(0);
      }
      return found;
    }
    if (!commutes(node)) return std::nullopt;
    // Dropout and Identity disappear, so that what stands behind them is still "direct".
    if (node.op_type != "Identity" && node.op_type != "Dropout") found.direct = false;
    value = node.input(0);
  }
  return std::nullopt;
}

LayerQuantization layer_quantization(const RuleContext& context, const Node& node) {
  return {dequantized(context, node.input(0)), dequantized(context, node.input(1))};
}

bool reads_missing_axis_as_zero(const Target& target) noexcept { return target.release < kOnnxDefaultAxis; }

ScaleFacts scale_facts(const RuleContext& context, const Node& node) {
  ScaleFacts facts;
  const ValueShape& scale = context.shape(node.input(1));
  const ValueShape& data = context.shape(node.input(0));
  if (scale.has_rank) {
    facts.rank = scale.rank();
    std::int64_t count = 1;
    bool known = true;
    for (Dim dim : scale.dims) {
      known = known && dim.is_literal() && !__builtin_mul_overflow(count, dim.value(), &count);
    }
    if (known) facts.count = count;
  }
  const Attribute* axis = node.attribute("axis");
  facts.axis_given = axis != nullptr && axis->type == AttributeType::int_;
  facts.onnx_axis = normal(facts.axis_given ? axis->i() : 1, data);
  facts.axis = !facts.axis_given && reads_missing_axis_as_zero(context.target()) ? 0 : facts.onnx_axis;
  return facts;
}

std::optional<bool> same_scale(const RuleContext& context, const Node& a, const Node& b) {
  if (a.input(1) == b.input(1)) return true;
  const TensorId first = a.input(1) ? context.model().constant(a.input(1)) : TensorId{};
  const TensorId second = b.input(1) ? context.model().constant(b.input(1)) : TensorId{};
  if (!first || !second) return std::nullopt;
  const auto x = context.tensors().floats(first, kScaleLimit);
  const auto y = context.tensors().floats(second, kScaleLimit);
  if (!x || !y) return std::nullopt;
  return *x == *y;
}

}  // namespace trtcheck::rules
