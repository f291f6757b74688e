#include "rules/weights/batchnorm_words.hpp"

#include <fmt/format.h>

namespace trtcheck::rules {

std::optional<std::string> other_layout(const RuleContext& context, const NormFacts& norm) {
  const ValueShape& data = context.shape(norm.data);
  if (!norm.counts[0]) return std::nullopt;
  for (std::size_t axis = data.rank(); axis-- > 0;) {
    if (axis == 1 || !data.dims[axis].is(*norm.counts[0])) continue;
    const std::string_view name = context.name(norm.data);
    return axis + 1 == data.rank()
               ? fmt::format("the last axis of `{}` has {}: it looks like channels-last data", name, *norm.counts[0])
               : fmt::format("axis {} of `{}` has {}: it looks like data in another layout, not channels-first", axis,
                             name, *norm.counts[0]);
  }
  return std::nullopt;
}

NodeId first_in_training(const RuleContext& context) {
  for (NodeId id : context.nodes()) {
    const Node& node = context.model().node(id);
    if (node.op_type != "BatchNormalization") continue;
    if (int_attribute(node, "training_mode", 0) != 0 || counted_outputs(node, context.target()) > 1) return id;
  }
  return {};
}

}  // namespace trtcheck::rules
