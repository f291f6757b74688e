// Layers whose weights contradict their data or each other: what follows from them is told once.
#pragma once

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// @pre the node at hand is a Conv or a ConvTranspose
[[nodiscard]] bool conv_is_inconsistent(const RuleContext& context);
/// @pre `node` is a BatchNormalization
[[nodiscard]] bool batchnorm_is_inconsistent(const RuleContext& context, NodeId node);

/// A BatchNormalization that the data of the convolution at hand come from through layers that keep the shape, if it
/// has parameters for another number of channels or an unknown one: what is reported about the channels follows from
/// there.
[[nodiscard]] NodeId normalization_at_fault(const RuleContext& context);

}  // namespace trtcheck::rules
