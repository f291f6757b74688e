// The rows of cpp/data/checks: which of them a node breaks, and who tells it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "checks/check_row.hpp"
#include "facts/node_facts.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::engine {

/// The rule that speaks for a row.
[[nodiscard]] const Rule& rule_of(const checks::Row& row) noexcept;
/// "OPS401:pad-mode"
[[nodiscard]] std::string code_of(const checks::Row& row);

/// Of one run.
class RowsOfRun {
 public:
  /// @param rules  those that are run; rows of others are left out
  RowsOfRun(const Target& target, std::span<const Rule* const> rules);

  /// Rows that may have something to say of the nodes of an operator.
  [[nodiscard]] std::vector<const checks::Row*> of(const OperatorFacts& op) const;

 private:
  [[nodiscard]] bool is_run(const Rule& rule) const noexcept;

  TrtVersion release_;             ///< whose facts count
  std::vector<const Rule*> told_;  ///< rules that speak for rows and are run
};

/// A finding at the node at hand, when the row has something to say of it.
void tell(rules::RuleContext& context, const checks::Row& row, const NodeFacts& node);

}  // namespace trtcheck::engine
