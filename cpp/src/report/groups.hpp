// Findings of one cause, told as one.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/report.hpp>

namespace trtcheck::report {

/// What is told as one: `Report::groups`, or every finding by itself when the options ask for all.
[[nodiscard]] std::vector<FindingGroup> told(const Report& report, const RenderOptions& options);

/// How many places a group has beside the first one.
[[nodiscard]] inline std::size_t others(const FindingGroup& group) noexcept { return group.size() - 1; }

/// Where a finding is: its node, else its tensor, in backticks; "" = the whole model.
[[nodiscard]] std::string place_text(const Finding& finding);

/// "145 more findings like this one: `a`, `b`, `c`, ... (--show-all lists them)"; "" = it is the only one.
[[nodiscard]] std::string others_text(const FindingGroup& group);

}  // namespace trtcheck::report
