#include "cure/cures/layer_folding.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "cure/cures/elements.hpp"
#include "cure/numbers.hpp"
#include "model/walk.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::cure {
namespace {

constexpr std::size_t kLookBack = 8;
constexpr std::int64_t kPerAxis = 13;  // QuantizeLinear has an axis from this opset on

/// The layer whose result is normalized, with the nodes in between, which do nothing.
struct Layer {
  NodeId node;
  std::vector<NodeId> idle;
};

std::optional<Layer> layer_before(const Draft& draft, std::size_t input) {
  const Model& model = draft.model();
  Layer layer;
  const auto end = walk<kLookBack>(draft.node().input(input), [&](ValueId value, auto& onward) {
    const Value& known = model.value(value);
    if (!known.producer || known.is_output || !sole_reader(model, value)) return false;
    const Node& node = model.node(known.producer);
    if (is_a(node.op_type, kinds::dropped)) {
      layer.idle.push_back(known.producer);
      onward.add(node.input(0));
      return false;
    }
    layer.node = known.producer;
    return true;
  });
  if (end != Walked::found) return std::nullopt;
  return layer;
}

/// Where the channels that are made stand in the weights.
struct Channels {
  std::size_t axis = 0;
  std::int64_t groups = 1;  ///< of a ConvTranspose, whose axis 1 counts the channels of one group
};

/// Each weight times the factor of its channel.
Constant scaled(const Constant& weights, const Reals& numbers, const Reals& factors, const Channels& channels) {
  std::size_t inner = 1;
  for (std::size_t i = channels.axis + 1; i < weights.dims.size(); ++i) {
    inner *= static_cast<std::size_t>(weights.dims[i]);
  }
  const auto count = static_cast<std::size_t>(weights.dims[channels.axis]);
  const std::size_t outer = numbers.size() / (inner * count);
  const std::size_t group = std::max<std::size_t>(outer / static_cast<std::size_t>(channels.groups), 1);
  Reals made(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t channel = i / inner % count + (channels.groups > 1 ? i / (inner * count) / group * count : 0);
    made[i] = numbers[i] * factors[channel];
  }
  return constant_of(weights.type, weights.dims, made);
}

class Folding {
 public:
  Folding(Draft& draft, Layer layer, Affine affine)
      : draft_(&draft), layer_(std::move(layer)), at_(draft.at(layer_.node)), affine_(std::move(affine)) {}

  bool make() {
    if (!find_channels() || !fold_weights() || !fold_bias()) return false;
    at_.set_output(0, draft_->out(0));
    draft_->join(at_);
    for (const NodeId idle : layer_.idle) draft_->remove_node(idle);
    draft_->remove();
    draft_->title(fmt::format("fold it into weights and bias of {} `{}`", node().op_type,
                              draft_->model().node_label(layer_.node)));
    return true;
  }

 private:
  [[nodiscard]] const Node& node() const { return draft_->model().node(layer_.node); }
  [[nodiscard]] bool is_gemm() const { return node().op_type == "Gemm"; }

  bool find_channels() {
    if (!node().domain().empty() || node().outputs.size() != 1) return false;
    if (is_gemm()) {
      channels_.axis = at_.int_attribute("transB", 0) != 0 ? 0 : 1;
    } else if (node().op_type == "ConvTranspose") {
      channels_ = {.axis = 1, .groups = std::max<std::int64_t>(at_.int_attribute("group", 1), 1)};
    } else if (node().op_type != "Conv") {
      return false;
    }
    const auto sizes = at_.sizes(node().input(1));
    if (!sizes || sizes->size() <= channels_.axis) return false;
    const auto count = static_cast<std::size_t>((*sizes)[channels_.axis] * channels_.groups);
    if (affine_.factors.size() == 1) affine_.factors.resize(count, affine_.factors.front());
    if (affine_.addends.size() == 1) affine_.addends.resize(count, affine_.addends.front());
    return (count == affine_.factors.size() && count == affine_.addends.size()) ||
           draft_->refuse("it has numbers for another number of channels");
  }

  bool fold_weights() {
    const ValueId weights = node().input(1);
    if (is_onnx_op(*draft_, producer(*draft_, weights), "DequantizeLinear")) return fold_scales(weights);
    const auto constant = stored(*draft_, weights);
    const auto numbers = constant ? real_numbers(*constant) : std::nullopt;
    if (!numbers || numbers->empty()) {
      return draft_->refuse(fmt::format("the weights `{}` are not constant", name_of(*draft_, weights)));
    }
    at_.set_input(1, at_.constant(scaled(*constant, *numbers, affine_.factors, channels_), "folded"));
    drop_stored(at_, weights);
    return true;
  }

  /// The same codes with other scales: what was rounded stays as it was.
  bool fold_scales(ValueId weights) {
    const NodeId dequantizer = producer(*draft_, weights);
    const NodeId quantizer = producer(*draft_, draft_->model().node(dequantizer).input(0));
    const bool is_rounded_here = is_onnx_op(*draft_, quantizer, "QuantizeLinear");
    if (channels_.groups != 1 || is_gemm()) return draft_->refuse("quantized weights of this layer are left");
    if (!sole_reader(draft_->model(), weights)) return draft_->refuse("other layers read the weights, too");
    const bool is_negative = std::ranges::any_of(affine_.factors, [](double factor) { return factor <= 0; });
    if (is_negative && !is_rounded_here) {
      return draft_->refuse("a factor of it is not positive, and the weights are stored as codes");
    }
    Reals sizes = affine_.factors;
    for (double& size : sizes) size = std::abs(size);
    if (std::ranges::find(sizes, 0.0) != sizes.end()) return draft_->refuse("a factor of it is 0");
    if (is_rounded_here && !scale_before_rounding(quantizer)) return false;
    return rescale(dequantizer, sizes) && (!is_rounded_here || rescale(quantizer, sizes));
  }
  bool scale_before_rounding(NodeId quantizer) {
    const ValueId weights = draft_->model().node(quantizer).input(0);
    const ValueId codes = draft_->model().node(quantizer).output(0);
    const auto constant = stored(*draft_, weights);
    const auto numbers = constant ? real_numbers(*constant) : std::nullopt;
    if (!numbers || numbers->empty() || !sole_reader(draft_->model(), codes)) {
      return draft_->refuse(fmt::format("the weights `{}` are not constant", name_of(*draft_, weights)));
    }
    Draft there = draft_->at(quantizer);
    there.set_input(0, there.constant(scaled(*constant, *numbers, affine_.factors, channels_), "folded"));
    drop_stored(there, weights);
    draft_->join(there);
    return true;
  }
  bool rescale(NodeId id, const Reals& sizes) {
    Draft there = draft_->at(id);
    const auto scale = stored(there, there.node().input(1));
    const auto numbers = scale ? real_numbers(*scale) : std::nullopt;
    if (!numbers || there.int_attribute("block_size", 0) != 0) {
      return draft_->refuse("the scale of the weights is not a constant, or one of blocks");
    }
    const bool is_per_channel = numbers->size() == sizes.size() && !scale->dims.empty();
    const auto rank = static_cast<std::int64_t>(there.rank(there.node().input(0)).value_or(0));
    const std::int64_t given = there.int_attribute("axis", 1);
    const std::int64_t axis = given < 0 ? given + rank : given;
    if (numbers->size() != 1 && (!is_per_channel || axis != static_cast<std::int64_t>(channels_.axis))) {
      return draft_->refuse("the weights have scales along another axis than the channels");
    }
    if (there.opset() < kPerAxis) return draft_->refuse("scales of channels need opset 13");
    Reals made = sizes;
    for (std::size_t i = 0; i < made.size(); ++i) made[i] *= (*numbers)[numbers->size() == 1 ? 0 : i];
    const std::vector<std::int64_t> dims{static_cast<std::int64_t>(made.size())};
    there.set_input(1, there.constant(constant_of(scale->type, dims, made), "folded_scale"));
    there.set_attribute("axis", static_cast<std::int64_t>(channels_.axis));
    if (there.node().input(2)) {
      const auto zero = stored(there, there.node().input(2));
      if (!zero || std::ranges::any_of(zero->bytes, [](std::byte byte) { return byte != std::byte{0}; })) {
        return draft_->refuse("the zero point of the weights is not 0");
      }
      const std::size_t width = zero->dims.empty() || zero->bytes.empty() ? zero->bytes.size() : 1;
      const Constant zeros{zero->type, dims, std::vector<std::byte>(made.size() * width)};
      there.set_input(2, there.constant(zeros, "folded_zero"));
    }
    draft_->join(there);
    return true;
  }

  bool fold_bias() {
    const bool adds = std::ranges::any_of(affine_.addends, [](double addend) { return addend != 0; });
    if (!node().input(2) && !adds) return true;
    Reals bias = affine_.addends;
    const DataType type = draft_->type(draft_->node().output(0)).value_or(DataType::float32);
    if (const ValueId old = node().input(2)) {
      const auto constant = stored(*draft_, old);
      const auto numbers = constant ? real_numbers(*constant) : std::nullopt;
      const bool fits = numbers && (numbers->size() == bias.size() || numbers->size() == 1);
      const bool is_row = constant && (constant->dims.size() < 2 || constant->dims.back() != 1 || bias.size() == 1);
      if (!fits || !is_row) {
        return draft_->refuse(
            fmt::format("the bias `{}` is not a constant, or not one of channels", name_of(*draft_, old)));
      }
      const double share = is_gemm() ? at_.float_attribute("beta", 1.0F) : 1.0;
      for (std::size_t i = 0; i < bias.size(); ++i) {
        bias[i] += (*numbers)[numbers->size() == 1 ? 0 : i] * affine_.factors[i] * share;
      }
      drop_stored(at_, old);
    }
    at_.set_input(2, at_.constant(constant_of(type, {static_cast<std::int64_t>(bias.size())}, bias), "folded_bias"));
    at_.drop_attribute("beta");
    return true;
  }

  Draft* draft_;
  Layer layer_;
  Draft at_;
  Affine affine_;
  Channels channels_;
};

/// The numbers of a constant, one for each channel of the result or one for all.
std::optional<Reals> channel_numbers(Draft& draft, std::size_t input) {
  const auto rank = draft.rank(draft.node().output(0));
  const auto constant = draft.contents(draft.node().input(input));
  if (!rank || *rank < 2 || !constant || constant->dims.size() > *rank) return std::nullopt;
  for (std::size_t back = 1; back <= constant->dims.size(); ++back) {
    const bool is_channel = *rank - back == 1;
    if (!is_channel && constant->dims[constant->dims.size() - back] != 1) return std::nullopt;
  }
  auto numbers = real_numbers(*constant);
  if (!numbers || numbers->empty()) return std::nullopt;
  return numbers;
}

/// What the node does to the other input.
std::optional<Affine> affine_with(std::string_view op, const Reals& numbers, bool is_first) {
  Affine made{.factors = {1.0}, .addends = {0.0}};
  if (op == "Mul") {
    made.factors = numbers;
  } else if (op == "Add" || op == "Sub") {
    made.addends = numbers;
    if (op == "Sub" && is_first) made.factors = {-1.0};
    if (op == "Sub" && !is_first) std::ranges::for_each(made.addends, [](double& number) { number = -number; });
  } else if (op == "Div" && !is_first) {
    made.factors.clear();
    for (const double number : numbers) made.factors.push_back(1.0 / number);
  } else {
    return std::nullopt;
  }
  const bool is_finite = std::ranges::all_of(made.factors, [](double factor) { return std::isfinite(factor); });
  return is_finite ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace

bool fold_into_layer(Draft& draft, std::size_t input, const Affine& affine) {
  auto layer = layer_before(draft, input);
  if (!layer) return draft.refuse("what it reads is read by others, too, or not made by a layer with weights");
  return Folding(draft, std::move(*layer), affine).make();
}

bool fold_affine(Draft& draft) {
  if (draft.node().inputs.size() != 2) return false;
  for (const std::size_t constant : {std::size_t{1}, std::size_t{0}}) {
    const std::size_t data = 1 - constant;
    // Numbers of more axes than the data have would change its rank.
    if (draft.rank(draft.node().input(data)) != draft.rank(draft.node().output(0))) continue;
    const auto numbers = channel_numbers(draft, constant);
    const auto affine = numbers ? affine_with(draft.node().op_type, *numbers, constant == 0) : std::nullopt;
    if (affine && layer_before(draft, data)) return fold_into_layer(draft, data, *affine);
  }
  return false;
}

}  // namespace trtcheck::cure
