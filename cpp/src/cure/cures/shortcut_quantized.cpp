// Residual blocks of which one side was left in float: its convolution gets the pair that its data have elsewhere, and
// the shortcut gets the scale of the block's result.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"
#include "cure/numbers.hpp"

namespace trtcheck::cure::shortcut_quantized {
namespace {

/// The QuantizeLinear that reads the value, with one INT8 scale. None: nobody quantizes it like that.
NodeId quantizer_of(Draft& draft, ValueId id) {
  for (const Use& use : draft.model().value(id).users) {
    if (use.input != 0 || !is_onnx_op(draft, use.node, "QuantizeLinear")) continue;
    const Node& node = draft.model().node(use.node);
    const auto scale = draft.contents(node.input(1));
    const auto numbers = scale ? real_numbers(*scale) : std::nullopt;
    if (numbers && numbers->size() == 1 && draft.type(node.output(0)) == DataType::int8) return use.node;
  }
  return {};
}

std::string pair(Draft& draft, Draft::Inputs inputs, const Draft::Attributes& attributes = {}) {
  inputs[0] = draft.op("QuantizeLinear", inputs, attributes);
  return draft.op("DequantizeLinear", std::move(inputs), attributes);
}

/// The pair of a value, written once more.
std::string pair_like(Draft& draft, const std::string& value, NodeId quantize) {
  const Node& node = draft.model().node(quantize);
  Draft::Inputs inputs{value, name_of(draft, node.input(1))};
  if (node.input(2)) inputs.push_back(name_of(draft, node.input(2)));
  return pair(draft, std::move(inputs));
}

/// One scale for each filter: the largest number in 127 steps.
std::optional<Constant> filter_scales(const Constant& weights) {
  const auto numbers = real_numbers(weights);
  if (!numbers || weights.dims.empty() || weights.dims[0] < 1) return std::nullopt;
  const std::size_t each = numbers->size() / static_cast<std::size_t>(weights.dims[0]);
  std::vector<double> scales;
  for (std::size_t i = 0; i < static_cast<std::size_t>(weights.dims[0]); ++i) {
    double most = 0;
    for (std::size_t j = i * each; j < (i + 1) * each; ++j) most = std::max(most, std::abs((*numbers)[j]));
    constexpr double kSteps = 127;
    scales.push_back(most > 0 ? most / kSteps : 1);
  }
  return constant_of(weights.type, {weights.dims[0]}, scales);
}

bool quantize_convolution(Draft& draft) {
  constexpr std::int64_t kHasAxis = 13;
  if (draft.node().op_type != "Conv" || draft.opset() < kHasAxis) return false;
  const NodeId data = quantizer_of(draft, draft.node().input(0));
  if (!data) return draft.refuse("its data are quantized nowhere, so that there is no scale for them");
  const auto weights = stored(draft, draft.node().input(1));
  const auto scales = weights ? filter_scales(*weights) : std::nullopt;
  if (!scales || weights->type != DataType::float32) return draft.refuse("its weights are no FLOAT constant");
  draft.set_input(0, pair_like(draft, draft.in(0), data));
  const std::string scale = draft.constant(*scales, "scale");
  draft.set_input(1, pair(draft, {draft.in(1), scale, zeros_like(draft, *scales)}, {{"axis", std::int64_t{0}}}));
  draft.title(fmt::format("quantize data and weights of {} as those of the other branch", draft.node().op_type));
  return true;
}

/// What quantizes the result of the Add, perhaps after an activation.
NodeId quantizer_behind(Draft& draft) {
  const ValueId sum = draft.node().output(0);
  if (const NodeId found = quantizer_of(draft, sum)) return found;
  for (const Use& use : draft.model().value(sum).users) {
    if (!is_onnx_op(draft, use.node, "Relu")) continue;
    if (const NodeId found = quantizer_of(draft, draft.model().node(use.node).output(0))) return found;
  }
  return {};
}

bool quantize_operand(Draft& draft, const Finding& finding) {
  const auto& inputs = draft.node().inputs;
  const auto at = std::ranges::find_if(inputs, [&](ValueId input) { return name_of(draft, input) == finding.value; });
  if (at == inputs.end()) return false;
  NodeId like = quantizer_of(draft, *at);
  if (!like) like = quantizer_behind(draft);
  if (!like) return draft.refuse("neither the shortcut nor the sum is quantized elsewhere, so that there is no scale");
  draft.set_input(static_cast<std::size_t>(at - inputs.begin()), pair_like(draft, name_of(draft, *at), like));
  draft.title(fmt::format("quantize the shortcut `{}` with the scale of its neighbour", name_of(draft, *at)));
  return true;
}

bool make(Draft& draft, const Finding& finding) {
  return draft.node().op_type == "Add" ? quantize_operand(draft, finding) : quantize_convolution(draft);
}

constexpr std::string_view kFindings[] = {"QDQ201", "QDQ203"};

}  // namespace

extern constinit const Cure cure{
    .name = "shortcut-quantized",
    .kind = CureClass::choice,
    .summary = "the side of a residual block that was left in float is quantized, with the scales of its neighbours",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::shortcut_quantized
