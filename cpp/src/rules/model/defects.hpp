// Defects of the graph that matter: those in graphs that the parser reaches.
#pragma once

#include <set>
#include <vector>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// What the parser reaches: not branches that are never taken (it imports the taken one only), nor functions without a
/// call.
class Reached {
 public:
  explicit Reached(const RuleContext& context);
  [[nodiscard]] bool has(GraphId graph) const;

 private:
  const RuleContext* context_;
  std::set<GraphId> called_;  // definitions
};

/// Defects of one kind in graphs that are reached, in the order of the model.
std::vector<Defect> reached_defects(const RuleContext& context, Defect::Kind kind);

}  // namespace trtcheck::rules
