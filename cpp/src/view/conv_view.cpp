#include "view/conv_view.hpp"

#include <algorithm>

#include "view/extents.hpp"

namespace trtcheck {
namespace {

/// Entry `index` of a list attribute of `size` entries, or the default; nothing when the list has another length.
Count list_entry(const Node& node, std::string_view name, std::size_t size, std::size_t index, std::int64_t missing) {
  const Attribute* attribute = node.attribute(name);
  if (attribute == nullptr) return missing;
  if (attribute->type != AttributeType::ints || attribute->ints().size() != size) return std::nullopt;
  return attribute->ints()[index];
}

/// Data of rank 3 get a last axis of size 1, which has to be 1 again behind the kernel; `no` only when it cannot be.
Truth leaves_one(const ModelView& view, const Node& node, const ConvView& conv) {
  const Count kernel = extent(view.shape(conv.weight), 3);
  const Count before = list_entry(node, "pads", 4, 1, 0);
  const Count after = list_entry(node, "pads", 4, 3, 0);
  const Count stride = list_entry(node, "strides", 2, 1, 1);
  const Count dilation = list_entry(node, "dilations", 2, 1, 1);
  const Count extra = list_entry(node, "output_padding", 2, 1, 0);
  const Attribute* auto_pad = node.attribute("auto_pad");
  if (auto_pad != nullptr || !kernel || !before || !after || !stride || !dilation || !extra || *stride <= 0) {
    return Truth::unknown;
  }
  constexpr std::int64_t kSane = 1'000'000;  // keeps what follows from overflowing
  for (const Count& number : {kernel, before, after, stride, dilation, extra}) {
    if (*number < -kSane || *number > kSane) return Truth::unknown;
  }
  const std::int64_t window = *dilation * (*kernel - 1) + 1;
  const std::int64_t pads = *before + *after;
  if (conv.transposed) return window - pads + *extra == 1 ? Truth::yes : Truth::no;
  return window <= 1 + pads && (1 + pads - window) / *stride == 0 ? Truth::yes : Truth::no;
}

/// Ranks 3 and 4 that the parser makes agree. The path of computed weights and biases has no such step for Conv.
bool is_expanded(const ModelView& view, const Node& node, const ConvView& conv) {
  const std::size_t data = view.shape(conv.data).rank();
  const std::size_t weights = view.shape(conv.weight).rank();
  if (std::min(data, weights) != 3 || std::max(data, weights) != 4) return false;
  const Model& model = view.model;
  const bool is_computed = !model.constant(conv.weight) || (data == 4 && conv.bias && !model.constant(conv.bias));
  if (is_computed && !conv.transposed) return false;
  return data == 4 || leaves_one(view, node, conv) != Truth::no;
}

}  // namespace

ConvView conv_view(const ModelView& view, const Node& node) {
  ConvView conv;
  conv.transposed = node.op_type == "ConvTranspose";
  conv.group = int_attribute(node, "group", 1);
  conv.data = node.input(0);
  conv.weight = node.input(1);
  conv.bias = node.input(2);
  const ValueShape& weights = view.shape(conv.weight);
  if (weights.rank() < 2) return conv;
  conv.weight0 = extent(weights, 0);
  conv.weight1 = extent(weights, 1);
  conv.weight_count = element_count(weights);
  const Count times_group = conv.group > 0 ? product(conv.weight1, conv.group) : std::nullopt;
  conv.in_channels = conv.transposed ? conv.weight0 : times_group;
  conv.out_channels = conv.transposed ? times_group : conv.weight0;
  conv.in_per_group = conv.transposed ? quotient(conv.weight0, conv.group) : conv.weight1;
  conv.out_per_group = conv.transposed ? conv.weight1 : quotient(conv.weight0, conv.group);
  return conv;
}

ConvRanks conv_ranks(const ModelView& view, const Node& node, const ConvView& conv) {
  const ValueShape& data = view.shape(conv.data);
  const ValueShape& weights = view.shape(conv.weight);
  if (data.has_rank && (data.rank() < 3 || data.rank() > 5)) return ConvRanks::no_data;
  if (!data.has_rank || !weights.has_rank || data.rank() == weights.rank()) return ConvRanks::fit;
  return is_expanded(view, node, conv) ? ConvRanks::taken : ConvRanks::refused;
}

}  // namespace trtcheck
