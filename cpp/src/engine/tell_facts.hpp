// The facts of cpp/data/facts: which of them a node breaks, and who tells it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "facts/evaluate.hpp"
#include "facts/fact.hpp"
#include "rules/rule_context.hpp"
#include "view/node_view.hpp"

namespace trtcheck::engine {

/// The rule that speaks for a fact.
[[nodiscard]] const Rule& rule_of(const facts::Fact& fact) noexcept;
/// "OPS401:pad-mode"
[[nodiscard]] std::string code_of(const facts::Fact& fact);

/// Of one run.
class FactsOfRun {
 public:
  /// @param rules   those that are run; facts of others are left out
  /// @param is_all  they are all there are
  FactsOfRun(const Target& target, std::span<const Rule* const> rules, bool is_all);

  /// Facts that may have something to say of the nodes of an operator.
  [[nodiscard]] std::vector<const facts::Fact*> of(const OperatorView& op) const;

 private:
  [[nodiscard]] bool is_run(const Rule& rule) const noexcept;

  TrtVersion release_;             ///< whose facts count
  bool is_strong_;                 ///< the network is strongly typed
  bool is_all_;                    ///< rules that speak for facts are all run, but for those of the accelerator
  std::vector<const Rule*> told_;  ///< else those that are
};

/// A fact that has something to say of a node.
struct Speaker {
  const facts::Fact* fact;
  facts::Outcome outcome;
};

/// Nothing: the fact is silent.
[[nodiscard]] std::optional<Speaker> ask(const facts::Fact& fact, const NodeView& node);

/// Which of the speakers at one node are heard. ONNX comes before TensorRT: a rank that it forbids is told by
/// shape-conflict. Of speakers about the same attribute or input the one is heard whose effect weighs most: what is
/// refused does not run slowly. What is in doubt overrules nothing.
/// @param has_conflict  shape inference could not reconcile the node
void overrule(std::vector<Speaker>& speakers, bool has_conflict);

/// A finding at the node at hand.
void tell(rules::RuleContext& context, const Speaker& speaker, const NodeView& node);

}  // namespace trtcheck::engine
