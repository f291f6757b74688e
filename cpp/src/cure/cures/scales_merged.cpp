// Several scales where TensorRT accepts one: the largest, at QuantizeLinear and all that read it.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"
#include "cure/numbers.hpp"

namespace trtcheck::cure::scales_merged {
namespace {

/// The QuantizeLinear in question: the node, the one before it, or that of the weights.
NodeId quantizer(const Draft& draft) {
  if (draft.node().op_type == "QuantizeLinear") return draft.id();
  const bool is_pair = draft.node().op_type == "DequantizeLinear";
  const NodeId dequantize = is_pair ? draft.id() : producer(draft, draft.node().input(1));
  if (!is_onnx_op(draft, dequantize, "DequantizeLinear")) return {};
  const NodeId before = producer(draft, draft.model().node(dequantize).input(0));
  return is_onnx_op(draft, before, "QuantizeLinear") ? before : NodeId{};
}

void set_scale(Draft& draft, NodeId node, const std::string& scale, const std::string& zero) {
  draft.set_input_of(node, 1, scale);
  draft.set_input_of(node, 2, zero);
  if (draft.model().node(node).attribute("axis") != nullptr) {
    draft.add(edit::RemoveAttribute{edit::place_of(draft.model(), node), "axis"});
  }
}

bool make(Draft& draft, const Finding&) {
  const NodeId quantize = quantizer(draft);
  if (!quantize) return draft.refuse("there is no QuantizeLinear to be changed");
  const Node& node = draft.model().node(quantize);
  const auto scale = draft.contents(node.input(1));
  const auto scales = scale ? real_numbers(*scale) : std::nullopt;
  const auto zeros = zero_points(draft, quantize);
  if (!scales || scales->size() < 2 || !zeros) return false;
  if (std::ranges::any_of(*zeros, [](std::int64_t zero) { return zero != 0; })) return draft.refuse("a zero point");
  const auto readers = dequantizers(draft, node.output(0));
  if (draft.type(node.output(0)) != DataType::int8 || !readers) {
    return draft.refuse("the codes are not INT8, or read by other nodes than DequantizeLinear");
  }
  const std::string largest =
      draft.constant(constant_of(scale->type, {}, std::vector<double>{std::ranges::max(*scales)}), "scale");
  const std::string zero = draft.constant(constant_of(DataType::int8, {}, std::vector<std::int64_t>{0}), "zero_point");
  set_scale(draft, quantize, largest, zero);
  for (const NodeId reader : *readers) set_scale(draft, reader, largest, zero);
  for (const ValueId old : node.inputs) drop_stored(draft, old);
  draft.title(fmt::format("quantize with one scale, the largest of {}", scales->size()));
  return true;
}

constexpr std::string_view kFindings[] = {"QDQ106", "QDQ213", "QDQ301", "QDQ302"};

}  // namespace

extern constinit const Cure cure{
    .name = "scales-merged",
    .kind = CureClass::choice,
    .summary = "several scales of an activation, or of weights along the wrong axis, become the largest of them",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::scales_merged
