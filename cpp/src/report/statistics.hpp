// How often each rule was broken: the most frequent first; consequences count, and what is not listed.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/report.hpp>

namespace trtcheck::report {

struct RuleCount {
  const Rule* rule = nullptr;  ///< never null
  std::size_t count = 0;       ///< of its findings
  std::size_t models = 0;      ///< that have one
};
[[nodiscard]] std::vector<RuleCount> rule_counts(std::span<const Report> reports);

/// A line for each rule; "" when nothing was found.
[[nodiscard]] std::string statistics_table(std::span<const Report> reports, bool color);

/// The table behind a text, with an empty line between the two.
void add_statistics(std::string& text, std::span<const Report> reports, bool color);

}  // namespace trtcheck::report
