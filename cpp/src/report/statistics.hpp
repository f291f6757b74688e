// How often each rule was broken: the most frequent first; consequences count, and what is not listed.
#pragma once

#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <trtcheck/report.hpp>

namespace trtcheck::report {

/// A line for each rule; "" when nothing was found.
[[nodiscard]] std::string statistics_table(std::span<const Report> reports, bool color);

/// The table behind a text, with an empty line between the two.
void add_statistics(std::string& text, std::span<const Report> reports, bool color);

[[nodiscard]] nlohmann::ordered_json statistics_json(std::span<const Report> reports);

}  // namespace trtcheck::report
