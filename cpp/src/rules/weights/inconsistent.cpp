#include "rules/weights/inconsistent.hpp"

#include <algorithm>
#include <array>

#include "model/walk.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::rules {

bool conv_is_inconsistent(const RuleContext& context) {
  constexpr std::array kConflicts{ConflictId::conv_rank, ConflictId::conv_channels, ConflictId::conv_group,
                                  ConflictId::conv_kernel_shape, ConflictId::conv_bias};
  return std::ranges::any_of(kConflicts, [&](ConflictId id) { return context.conflict(id) != nullptr; }) ||
         conv_ranks(context.view(), context.node(), context.conv()) != ConvRanks::fit;
}

bool batchnorm_is_inconsistent(const RuleContext& context, NodeId node) {
  return context.conflict(node, ConflictId::batchnorm_parameters) != nullptr ||
         context.conflict(node, ConflictId::batchnorm_channels) != nullptr;
}

NodeId normalization_at_fault(const RuleContext& context) {
  constexpr std::size_t kMostSteps = 8;
  NodeId found;
  walk<kMostSteps>(context.conv().data, [&](ValueId value, auto& onward) {
    const NodeId id = producer_of(context.model(), value);
    if (!id) return false;
    const Node& node = context.model().node(id);
    if (node.op_type == "BatchNormalization") {
      const ValueShape& data = context.shape(node.input(0));
      const bool unknown = data.rank() > 1 && !data.dims[1].is_literal();
      if (unknown || batchnorm_is_inconsistent(context, id)) found = id;
      return true;
    }
    if (is_a(node.op_type, kinds::between_convolutions)) onward.add(node.input(0));
    return false;
  });
  return found;
}

}  // namespace trtcheck::rules
