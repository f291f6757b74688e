#include "report/statistics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/style.hpp"

namespace trtcheck::report {
namespace {

struct Row {
  const Rule* rule = nullptr;
  std::size_t count = 0;
  std::size_t models = 0;
};

using CountsByCode = std::map<std::string_view, std::pair<const Rule*, std::size_t>>;

void count_into(CountsByCode& counts, std::span<const Finding> findings) {
  for (const Finding& finding : findings) {
    auto& [rule, count] = counts[finding.rule->code];
    rule = finding.rule;
    ++count;
    count_into(counts, finding.consequences);
  }
}

std::vector<Row> rows_of(std::span<const Report> reports) {
  std::map<std::string_view, Row> by_code;
  for (const Report& report : reports) {
    CountsByCode counts;
    count_into(counts, report.findings);
    for (const Unlisted& each : report.unlisted) {
      auto& [rule, count] = counts[each.rule->code];
      rule = each.rule;
      count += each.count;
    }
    for (const auto& [code, counted] : counts) {
      Row& row = by_code[code];
      row.rule = counted.first;
      row.count += counted.second;
      ++row.models;
    }
  }
  std::vector<Row> rows;
  rows.reserve(by_code.size());
  for (const auto& [code, row] : by_code) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.count > b.count; });
  return rows;
}

}  // namespace

nlohmann::ordered_json statistics_json(std::span<const Report> reports) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Row& row : rows_of(reports)) {
    list.push_back({{"code", row.rule->code}, {"name", row.rule->name}, {"count", row.count}, {"models", row.models}});
  }
  return list;
}

std::string statistics_table(std::span<const Report> reports, bool color) {
  const std::vector<Row> rows = rows_of(reports);
  const Style style(color);
  std::size_t digits = 1;
  std::size_t name_width = 0;
  for (const Row& row : rows) {
    digits = std::max(digits, fmt::formatted_size("{}", row.count));
    name_width = std::max(name_width, row.rule->name.size());
  }
  std::string out;
  for (const Row& row : rows) {
    fmt::format_to(std::back_inserter(out), "{:>{}}  {}  {:<{}}  in {} model{}\n", row.count, digits,
                   style.bold(row.rule->code), row.rule->name, name_width, row.models, row.models == 1 ? "" : "s");
  }
  return out;
}

void add_statistics(std::string& text, std::span<const Report> reports, bool color) {
  const std::string table = statistics_table(reports, color);
  if (!text.empty() && !table.empty()) text += '\n';
  text += table;
}

}  // namespace trtcheck::report
