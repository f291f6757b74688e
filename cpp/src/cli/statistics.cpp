#include "cli/statistics.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include <trtcheck/trtcheck.hpp>

#include "report/style.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
  const Rule* rule = nullptr;
  std::size_t count = 0;
  std::size_t models = 0;
};

using Counts = std::map<std::string_view, std::pair<const Rule*, std::size_t>>;

void count_into(Counts& counts, std::span<const Finding> findings) {
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
    Counts counts;
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
  for (const auto& [code, row] : by_code) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.count > b.count; });
  return rows;
}

std::string json_document(std::span<const Row> rows, std::size_t models, std::span<const Failure> failures) {
  Json list = Json::array();
  for (const Row& row : rows) {
    list.push_back({{"code", row.rule->code}, {"name", row.rule->name}, {"count", row.count}, {"models", row.models}});
  }
  Json missing = Json::array();
  for (const Failure& failure : failures) {
    missing.push_back({{"path", valid_utf8(failure.path)}, {"cause", valid_utf8(failure.cause)}});
  }
  const Json document{{"schema_version", 1},
                      {"trtcheck_version", version()},
                      {"models", models},
                      {"statistics", std::move(list)},
                      {"failures", std::move(missing)}};
  return document.dump(2) + "\n";
}

std::string table(std::span<const Row> rows, const report::Style& style) {
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

}  // namespace

std::string statistics(std::span<const Report> reports, const RenderOptions& options) {
  const std::vector<Row> rows = rows_of(reports);
  return options.format == Format::json ? json_document(rows, reports.size(), options.failures)
                                        : table(rows, report::Style(options.color));
}

}  // namespace trtcheck::cli
