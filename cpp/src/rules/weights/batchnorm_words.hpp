// What the rules about BatchNormalization say alike.
#pragma once

#include <optional>
#include <string>

#include "rules/rule_context.hpp"
#include "view/norm_view.hpp"

namespace trtcheck::rules {

/// Another axis of the data that has as many entries as there are values, told as a note: "it looks like channels-last
/// data"; nothing when there is none.
std::optional<std::string> other_layout(const RuleContext& context, const NormView& norm);

/// The first BatchNormalization of the model in training form: with `training_mode`, or with the outputs of it as the
/// target release counts them. The others have the same cause.
NodeId first_in_training(const RuleContext& context);

/// How the node at hand is exported in inference form: `model.eval()` changes the flag of a module, not one that is
/// written into a call, and not statistics that are computed from the batch.
std::string training_remedy(const RuleContext& context);

}  // namespace trtcheck::rules
