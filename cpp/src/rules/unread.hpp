// What is not known because constants in other files could not be read.
#pragma once

#include <set>

#include <trtcheck/finding.hpp>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

namespace external_constants_unread {
extern const Rule rule;
}

/// Those that inference or a rule asked for. Complete once all rules had their turn.
std::set<TensorId> all_unread(const RuleContext& context);

/// A note on each finding that judges sizes or values which are not known for this reason.
void add_unread_notes(std::vector<Finding>& findings, const RuleContext& context);

}  // namespace trtcheck::rules
