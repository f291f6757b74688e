// How certain a finding is that rests on what was read of some releases.
#pragma once

#include "evidence/evidence.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// Makes the finding as certain as its evidence, with a note where it is known of other releases only.
void rest_on(const RuleContext& context, FindingBuilder finding, const evidence::Evidence& evidence);

}  // namespace trtcheck::rules
