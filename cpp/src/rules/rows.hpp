// The rows of cpp/data/checks: which of them a node breaks, and who tells it.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "checks/check_row.hpp"
#include "facts/node_facts.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// The rule that speaks for a row.
[[nodiscard]] const Rule& rule_of(const checks::Row& row) noexcept;

/// Of one run: each operator's rows are looked up once.
class RowsOfRun {
 public:
  /// @param rules  those that are run; rows of others are left out
  RowsOfRun(const Model& model, const Shapes& shapes, const Target& target, const TensorFacts& tensors,
            std::span<const Rule* const> rules);

  /// Calls `tell` with each row that may have something to say of the node.
  template <class Tell>
  void for_each(NodeId id, Tell tell) {
    const checks::Rows rows = of(id);
    if (rows.empty()) return;
    const NodeFacts node(facts_, id);
    rows.for_each(node.opset(), [&](const checks::Row& row) {
      const Rule& rule = rule_of(row);
      if (is_run(rule)) tell(rule, row, node);
    });
  }

 private:
  [[nodiscard]] checks::Rows of(NodeId id);
  [[nodiscard]] bool is_run(const Rule& rule) const noexcept;

  Facts facts_;
  std::vector<const Rule*> told_;  ///< rules that speak for rows and are run
  std::unordered_map<std::string_view, checks::Rows> by_op_;
};

/// A finding at the node at hand, when the row has something to say of it.
void tell(RuleContext& context, const checks::Row& row, const NodeFacts& node);

}  // namespace trtcheck::rules
