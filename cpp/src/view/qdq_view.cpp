#include "view/qdq_view.hpp"

#include <algorithm>

#include "model/tensor_values.hpp"
#include "model/walk.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/extents.hpp"

namespace trtcheck {
namespace {

constexpr std::size_t kLookBack = 64;
constexpr std::int64_t kScaleLimit = kMostElements;

DataType as_parsed(DataType type) {
  // A UINT8 zero point (the ONNX default as well) is announced and then taken as INT8.
  return type == DataType::uint8 || type == DataType::undefined ? DataType::int8 : type;
}

std::int64_t normal(std::int64_t axis, const ValueShape& shape) {
  return axis < 0 && shape.has_rank ? axis + static_cast<std::int64_t>(shape.rank()) : axis;
}

}  // namespace

bool commutes_with_qdq(const Node& node) { return is_a(node.op_type, kinds::commutes_with_quantizer); }

bool fuses_with_product(const Node& node) { return is_a(node.op_type, kinds::fuses_with_product); }

std::optional<std::vector<std::int64_t>> constant_ints(const ModelView& view, ValueId value, std::int64_t limit) {
  std::optional<std::vector<std::int64_t>> found;
  walk<kLookBack>(value, [&](ValueId id, auto& onward) {
    if (const TensorId tensor = view.model.constant(id)) {
      found = view.tensors.ints(tensor, limit);
      return true;
    }
    const NodeId producer = producer_of(view.model, id);
    if (producer && is_a(view.model.node(producer).op_type, kinds::passes_numbers)) {
      onward.add(view.model.node(producer).input(0));
    }
    return false;
  });
  return found;
}

DataType code_type(const ModelView& view, const Node& node) {
  if (is_dequantize(node)) {
    const DataType data = view.shape(node.input(0)).type;
    if (data != DataType::undefined) return data;
  }
  if (node.input(2)) return view.shape(node.input(2)).type;
  if (is_quantize(node)) return static_cast<DataType>(int_attribute(node, "output_dtype", 0));
  return DataType::undefined;
}

bool is_made_by_quantizer(const ModelView& view, ValueId codes) {
  const DataType type = view.shape(codes).type;
  const Walked end = walk<kLookBack>(codes, [&](ValueId id, auto& onward) {
    const NodeId producer = producer_of(view.model, id);
    if (!producer) return true;
    const Node& node = view.model.node(producer);
    if (is_quantize(node)) return false;
    bool passes_on = false;
    for (const ValueId input : node.inputs) {
      if (!input || view.shape(input).type != type || view.model.constant(input)) continue;
      passes_on = true;
      onward.add(input);
    }
    return !passes_on;
  });
  return end != Walked::found;
}

std::optional<Dequantized> dequantized(const ModelView& view, ValueId value) {
  if (!view.is_quantized) return std::nullopt;
  Dequantized found;
  const Walked end = walk<kLookBack>(value, [&](ValueId at, auto& onward) {
    const NodeId id = producer_of(view.model, at);
    if (!id) return false;
    const Node& node = view.model.node(id);
    if (is_dequantize(node)) {
      found.dq = id;
      found.source = node.input(0);
      found.code = as_parsed(code_type(view, node));
      const NodeId before = producer_of(view.model, node.input(0));
      if (before && is_quantize(view.model.node(before))) {
        found.q = before;
        found.source = view.model.node(before).input(0);
      }
      return true;
    }
    if (!commutes_with_qdq(node)) return false;
    // What disappears leaves that which stands behind it "direct".
    if (!is_a(node.op_type, kinds::dropped)) found.direct = false;
    onward.add(node.input(0));
    return false;
  });
  return end == Walked::found ? std::optional(found) : std::nullopt;
}

LayerQuantization layer_quantization(const ModelView& view, const Node& node) {
  if (!view.is_quantized) return {};
  return {dequantized(view, node.input(0)), dequantized(view, node.input(1))};
}

bool has_vector_scale(const ModelView& view, const Node& node) {
  const ValueId scale = node.input(1);
  return scale && view.shape(scale).has_rank && view.shape(scale).rank() > 0;
}

bool reads_missing_axis_as_zero(const ModelView& view) { return !view.release.has(gates::scale_axis_of_onnx); }

bool has_axis(const ModelView& view, const Node& node) {
  constexpr std::int64_t kFirstWithAxis = 13;
  return view.model.opset(node.graph).value_or(kFirstWithAxis) >= kFirstWithAxis;
}

ScaleView scale_view(const ModelView& view, const Node& node) {
  ScaleView found;
  const ValueShape& scale = view.shape(node.input(1));
  found.rank = scale.rank();
  found.count = element_count(scale);
  const Attribute* axis = node.attribute("axis");
  found.axis_given = axis != nullptr && axis->type == AttributeType::int_;
  found.onnx_axis = normal(found.axis_given ? axis->i() : 1, view.shape(node.input(0)));
  const bool reads_zero = !found.axis_given && (!has_axis(view, node) || reads_missing_axis_as_zero(view));
  found.axis = reads_zero ? 0 : found.onnx_axis;
  return found;
}

std::optional<bool> same_scale(const ModelView& view, const Node& a, const Node& b) {
  if (a.input(1) == b.input(1)) return true;
  const TensorId first = a.input(1) ? view.model.constant(a.input(1)) : TensorId{};
  const TensorId second = b.input(1) ? view.model.constant(b.input(1)) : TensorId{};
  if (!first || !second) return std::nullopt;
  const auto x = view.tensors.floats(first, kScaleLimit);
  const auto y = view.tensors.floats(second, kScaleLimit);
  if (!x || !y) return std::nullopt;
  return *x == *y;
}

}  // namespace trtcheck
