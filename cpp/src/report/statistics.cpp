#include "report/statistics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include "report/style.hpp"
#include "text/plural.hpp"

namespace trtcheck::report {
namespace {

using CountsByCode = std::map<std::string_view, std::pair<const Rule*, std::size_t>>;

void count_into(CountsByCode& counts, std::span<const Finding> findings) {
  for (const Finding& finding : findings) {
    auto& [rule, count] = counts[finding.rule->code];
    rule = finding.rule;
    ++count;
    count_into(counts, finding.consequences);
  }
}

}  // namespace

std::vector<RuleCount> rule_counts(std::span<const Report> reports) {
  std::map<std::string_view, RuleCount> by_code;
  for (const Report& report : reports) {
    CountsByCode counts;
    count_into(counts, report.findings);
    for (const Unlisted& each : report.unlisted) {
      auto& [rule, count] = counts[each.rule->code];
      rule = each.rule;
      count += each.count;
    }
    for (const auto& [code, counted] : counts) {
      RuleCount& row = by_code[code];
      row.rule = counted.first;
      row.count += counted.second;
      ++row.models;
    }
  }
  std::vector<RuleCount> rows;
  rows.reserve(by_code.size());
  for (const auto& [code, row] : by_code) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [](const RuleCount& a, const RuleCount& b) { return a.count > b.count; });
  return rows;
}

std::string statistics_table(std::span<const Report> reports, bool color) {
  const std::vector<RuleCount> rows = rule_counts(reports);
  const Style style(color);
  std::size_t digits = 1;
  std::size_t name_width = 0;
  for (const RuleCount& row : rows) {
    digits = std::max(digits, fmt::formatted_size("{}", row.count));
    name_width = std::max(name_width, row.rule->name.size());
  }
  std::string out;
  for (const RuleCount& row : rows) {
    fmt::format_to(std::back_inserter(out), "{:>{}}  {}  {:<{}}  in {}\n", row.count, digits,
                   style.bold(row.rule->code), row.rule->name, name_width, counted(row.models, "model"));
  }
  return out;
}

void add_statistics(std::string& text, std::span<const Report> reports, bool color) {
  const std::string table = statistics_table(reports, color);
  if (!text.empty() && !table.empty()) text += '\n';
  text += table;
}

}  // namespace trtcheck::report
