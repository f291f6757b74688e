// Defects of the graph that matter: those in graphs that the parser reaches.
#pragma once

#include <vector>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// Defects of one kind in graphs that are reached, in the order of the model.
std::vector<Defect> reached_defects(const RuleContext& context, Defect::Kind kind);

}  // namespace trtcheck::rules
