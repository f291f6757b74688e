// The rows of cpp/data/facts: which of them a node breaks, and who tells it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checks/check_row.hpp"
#include "checks/evaluate.hpp"
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
  /// @param rules   those that are run; rows of others are left out
  /// @param is_all  they are all there are
  RowsOfRun(const Target& target, std::span<const Rule* const> rules, bool is_all);

  /// Rows that may have something to say of the nodes of an operator.
  [[nodiscard]] std::vector<const checks::Row*> of(const OperatorFacts& op) const;

 private:
  [[nodiscard]] bool is_run(const Rule& rule) const noexcept;

  TrtVersion release_;             ///< whose facts count
  bool is_strong_;                 ///< the network is strongly typed
  bool is_all_;                    ///< rules that speak for rows are all run, but for those of the accelerator
  std::vector<const Rule*> told_;  ///< else those that are
};

/// A row that has something to say of a node.
struct Speaker {
  const checks::Row* row;
  checks::Outcome outcome;
};

/// Nothing: the row is silent.
[[nodiscard]] std::optional<Speaker> ask(const checks::Row& row, const NodeFacts& node);

/// Which of the speakers at one node are heard. ONNX comes before TensorRT: a rank that it forbids is told by
/// shape-conflict. Of speakers about the same attribute or input the one is heard whose effect weighs most: what is
/// refused does not run slowly. What is in doubt overrules nothing.
/// @param has_conflict  shape inference could not reconcile the node
void overrule(std::vector<Speaker>& speakers, bool has_conflict);

/// A finding at the node at hand.
void tell(rules::RuleContext& context, const Speaker& speaker, const NodeFacts& node);

}  // namespace trtcheck::engine
