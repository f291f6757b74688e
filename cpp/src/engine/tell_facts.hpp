// The facts of cpp/data/facts: which of them a node breaks, and who tells it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/parts.hpp"
#include "engine/run_state.hpp"
#include "facts/evaluate.hpp"
#include "facts/fact.hpp"
#include "rules/rule_context.hpp"
#include "view/node_view.hpp"

namespace trtcheck::engine {

/// The rule that speaks for a fact.
[[nodiscard]] const Rule& rule_of(const facts::Fact& fact) noexcept;
/// "OPS401:pad-mode"
[[nodiscard]] std::string code_of(const facts::Fact& fact);

/// A fact, and releases in which it holds that are alike in what facts ask.
struct FactPart {
  const facts::Fact* fact;
  const Rule* rule;  ///< that speaks for it
  ReleaseSet releases;
  std::uint32_t group;  ///< of releases in which a condition has one answer, whatever fact it is of
};

/// Of one run.
class FactsOfRun {
 public:
  /// @param rules   those that are run; facts of others are left out
  /// @param is_all  they are all there are
  FactsOfRun(const rules::RuleContext::Run& run, const Target& target, std::span<const Rule* const> rules, bool is_all);

  /// Facts that may have something to say of the nodes of an operator, and to which releases.
  [[nodiscard]] std::vector<FactPart> of(std::size_t op) const;

 private:
  /// Of one release.
  struct Release {
    TrtVersion known;  ///< whose facts count
    bool is_strong;    ///< the network is strongly typed
    bool has_dla;      ///< layers may run there
  };
  [[nodiscard]] bool is_run(const Rule& rule) const noexcept;
  [[nodiscard]] ReleaseSet holding(const facts::Fact& fact, std::size_t op) const;

  const Operators* operators_;
  std::vector<Release> releases_;
  std::vector<ReleaseSet> alike_;  ///< in what facts ask
  std::optional<ComputeCapability> gpu_;
  bool is_all_;
  std::span<const Rule* const> rules_;
};

/// A fact that has something to say of a node.
struct Speaker {
  const facts::Fact* fact;
  facts::Outcome outcome;
  ReleaseSet releases;  ///< of which it is said
};

/// What its condition came to makes the fact speak.
[[nodiscard]] bool is_heard(const facts::Fact& fact, const facts::Outcome& outcome) noexcept;

/// Of these, those that rest on the same evidence.
[[nodiscard]] std::vector<ReleaseSet> parts_of_evidence(const facts::Fact& fact, ReleaseSet among,
                                                        std::span<const TrtVersion> releases);

/// Which of the speakers at one node are heard. ONNX comes before TensorRT: a rank that it forbids is told by
/// shape-conflict. Of speakers about the same attribute or input the one is heard whose effect weighs most: what is
/// refused does not run slowly. What is in doubt overrules nothing.
/// @param has_conflict  shape inference could not reconcile the node
void overrule(std::vector<Speaker>& speakers, bool has_conflict);

/// A finding at the node at hand. @pre turned to releases that rest on the same evidence
void tell(rules::RuleContext& context, const Speaker& speaker, const NodeView& node);

}  // namespace trtcheck::engine
