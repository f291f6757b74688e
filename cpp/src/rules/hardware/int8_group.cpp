#include "rules/hardware/int8_group.hpp"

#include <fmt/core.h>

namespace trtcheck::rules {

std::optional<Int8Group> int8_group(const RuleContext& context, const Node& node) {
  if (!layer_quantization(context.view(), node).int8() || int_attribute(node, "group", 1) <= 1) return std::nullopt;
  const ConvView view = conv_view(context.view(), node);
  if (!view.in_per_group || !view.out_per_group || !view.in_channels || !view.out_channels) return std::nullopt;
  return Int8Group{view.group, *view.in_per_group, *view.out_per_group, *view.in_channels, *view.out_channels};
}

std::string fused_name(const RuleContext& context, NodeId conv) {
  const auto weight = dequantized(context.view(), context.model().node(conv).input(1));
  if (!weight) return context.label(conv);
  const std::string stored(context.name(weight->source));
  if (!weight->q) return fmt::format("{} + {}", stored, context.label(conv));
  return fmt::format("{} + {} + {}", stored, context.label(weight->q), context.label(conv));
}

}  // namespace trtcheck::rules
