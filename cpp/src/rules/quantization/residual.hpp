// Recognises the Add of a residual block: two branches of one tensor, one of which ends in a convolution.
#pragma once

#include <cstddef>
#include <optional>

#include "rules/rule_context.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules {

/// An operand of the Add, followed back through BatchNormalization, activations and Q/DQ.
struct ResidualBranch {
  std::size_t operand = 0;          ///< index of the Add's input
  std::optional<Dequantized> pair;  ///< Q/DQ between the branch and the Add
  NodeId conv;                      ///< the convolution that the branch ends in; none for an identity shortcut
};

struct ResidualAdd {
  ResidualBranch backbone;  ///< the longer branch; ends in a convolution
  ResidualBranch shortcut;  ///< identity, or a down-sample convolution
};

/// Nothing for an Add with a constant, a broadcast Add, an Add in a part without quantization, and where no common
/// ancestor is near.
std::optional<ResidualAdd> residual_add(const RuleContext& context, const Node& add);

/// Adds what a failing build of such a block may look like, and the other cause of the same message.
void add_allocator_notes(FindingBuilder& finding);

}  // namespace trtcheck::rules
