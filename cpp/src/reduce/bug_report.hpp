// A folder that shows a finding to somebody else.
#pragma once

#include <span>
#include <string>

#include <trtcheck/reduce.hpp>

namespace trtcheck::reducing {

/// What the texts say, beside the small model itself.
struct BugReport {
  const Reduced& reduced;
  const Model& model;  ///< the small one
  const Target& target;
  std::string command;  ///< that was the judge; "" = none
  ReducedWeights weights = ReducedWeights::random;
  bool is_anonymous = false;
  std::span<const std::string> versions;
};

[[nodiscard]] std::string environment_text(const BugReport& report);
[[nodiscard]] std::string finding_text(const BugReport& report);
[[nodiscard]] std::string finding_json(const BugReport& report);
/// Markdown, ready to be pasted.
[[nodiscard]] std::string issue_text(const BugReport& report);

}  // namespace trtcheck::reducing
