// What the five table rules share: they read rows of cpp/data/op_support.json and say the same kind of thing.
#pragma once

#include <string>
#include <vector>

#include "rules/rule_context.hpp"
#include "target/constraints.hpp"

namespace trtcheck::rules {

/// Constraints of the node at hand that are of that kind; none for nodes that the parser's importer does not get.
std::vector<Constraint> constraints_of_node(const RuleContext& context, std::initializer_list<Constraint::Must> kinds,
                                            Constraint::On on);

/// "1, 2 or 4"; texts in backticks.
std::string allowed_values(const Constraint& constraint, bool as_text = false);

/// A finding at the node at hand with the row's evidence, as certain as the row is for the target.
FindingBuilder add_constraint(RuleContext& context, const Constraint& constraint, std::string message);

}  // namespace trtcheck::rules
