// Severities as the user wants them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <trtcheck/trtcheck.hpp>

namespace trtcheck {

class Severities {
 public:
  /// @throws Error  a word that matches no rule; the path is "severity"
  explicit Severities(std::span<const SeverityOverride> overrides);

  /// Changes them; what goes by severity comes behind. A rule that failed keeps its own: a failure made mild could be
  /// taken for a clean bill.
  void apply(std::span<Finding> findings) const;
  /// The same of findings that are only counted.
  [[nodiscard]] std::vector<Unlisted> of(const std::vector<Unlisted>& unlisted) const;

 private:
  [[nodiscard]] Severity of(const Rule& rule, Severity severity) const;

  std::vector<std::pair<const Rule*, Severity>> wanted_;  // each rule once
  std::vector<SeverityOverride> of_facts_;                ///< words about single facts, in their order
};

}  // namespace trtcheck
