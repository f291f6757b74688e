#include "explain/fact_page.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checks/check_row.hpp"

namespace trtcheck::explain {
namespace {

using checks::Row;

/// What several operators, or spans of opsets, have in common is there once.
struct Case {
  const Row* row;
  std::vector<std::string_view> ops;
};

std::vector<Case> cases_of(std::string_view id) {
  std::vector<Case> cases;
  for (const Row& row : checks::all_rows()) {
    if (row.id != id) continue;
    const auto key = [](const Row& one) { return std::tie(one.first, one.last, one.words, one.sentence); };
    const auto same = std::ranges::find_if(cases, [&](const Case& other) { return key(*other.row) == key(row); });
    if (same == cases.end()) {
      cases.push_back({&row, {row.op}});
    } else if (std::ranges::find(same->ops, row.op) == same->ops.end()) {
      same->ops.push_back(row.op);
    }
  }
  return cases;
}

std::string releases_of(const Row& row) {
  const std::string first = to_string(row.first);
  return row.first == row.last ? first : fmt::format("{} to {}", first, to_string(row.last));
}

void write_case(std::string& out, const Case& one) {
  const Row& row = *one.row;
  const auto sink = std::back_inserter(out);
  fmt::format_to(sink, "\n## {}, TensorRT {}\n\n{}.\n", fmt::join(one.ops, ", "), releases_of(row), row.sentence);
  if (!row.says.empty()) fmt::format_to(sink, "\nTensorRT prints `{}`.\n", row.says);
  if (!row.remedy.empty()) fmt::format_to(sink, "\nFix: {}.\n", row.remedy);
  fmt::format_to(sink, "\nExample:\n\n```onnx opset={}\n{}\n```\n\nAccepted:\n\n```onnx opset={}\n{}\n```\n",
                 row.model_opset, row.example, row.model_opset, row.near);
  std::vector<std::string> known = evidence::words_of(row.evidence);
  if (!row.source.empty()) known.emplace_back(row.source);
  fmt::format_to(sink, "\nEvidence: {}.\n", fmt::join(known, "; "));
}

}  // namespace

std::string fact_summary(std::string_view id) {
  const std::vector<Case> cases = cases_of(id);
  const Case& newest = *std::ranges::max_element(cases, {}, [](const Case& one) { return one.row->last; });
  const std::string_view of = newest.ops.front();
  const std::string op = newest.ops.size() == 1 ? std::string(of) : fmt::format("{} and others", of);
  return fmt::format("{}: {}", op, newest.row->sentence);
}

std::string fact_page(std::string_view id) {
  std::string out = fmt::format("# {}\n", id);
  for (const Case& one : cases_of(id)) write_case(out, one);
  return out;
}

}  // namespace trtcheck::explain
