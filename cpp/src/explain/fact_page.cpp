#include "explain/fact_page.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "target/dla.hpp"

namespace trtcheck::explain {
namespace {

using checks::Row;

void write_case(std::string& out, const FactCase& one) {
  const Row& row = *one.row;
  const auto sink = std::back_inserter(out);
  fmt::format_to(sink, "\n## {}, TensorRT {}\n\n{}.\n", fmt::join(one.ops, ", "), releases_of(row), row.sentence);
  if (!row.says.empty()) fmt::format_to(sink, "\nTensorRT prints `{}`.\n", row.says);
  if (!row.remedy.empty()) fmt::format_to(sink, "\nFix: {}.\n", row.remedy);
  fmt::format_to(sink, "\nExample:\n\n```onnx opset={}\n{}\n```\n\nAccepted:\n\n```onnx opset={}\n{}\n```\n",
                 row.model_opset, row.example, row.model_opset, row.near);
  fmt::format_to(sink, "\nEvidence: {}.\n", evidence_text(row));
}

}  // namespace

std::vector<FactCase> cases_of(std::string_view id) {
  std::vector<FactCase> cases;
  for (const Row& row : checks::all_rows()) {
    if (row.id != id) continue;
    const auto key = [](const Row& one) { return std::tie(one.first, one.last, one.words, one.source); };
    const auto same = std::ranges::find_if(cases, [&](const FactCase& other) { return key(*other.row) == key(row); });
    if (same == cases.end()) {
      cases.push_back({&row, {row.op}});
    } else if (std::ranges::find(same->ops, row.op) == same->ops.end()) {
      same->ops.push_back(row.op);
    }
  }
  return cases;
}

std::string releases(TrtVersion first, TrtVersion last) {
  if (first == last) return to_string(first);
  return fmt::format("{} to {}", to_string(first), to_string(last));
}

/// The releases in which the row can speak: some have no DLA.
std::string releases_of(const Row& row) {
  if (row.effect != checks::Effect::fallback) return releases(row.first, row.last);
  std::vector<std::pair<TrtVersion, TrtVersion>> spans;
  bool goes_on = false;
  for (const TrtVersion release : known_releases()) {
    if (release < row.first || row.last < release) continue;
    Target target;
    target.release = release;
    target.dla = true;
    const bool has_dla = may_run_on_dla(target);
    if (has_dla && goes_on) {
      spans.back().second = release;
    } else if (has_dla) {
      spans.emplace_back(release, release);
    }
    goes_on = has_dla;
  }
  std::vector<std::string> words;
  for (const auto& [first, last] : spans) words.push_back(releases(first, last));
  return fmt::format("{}", fmt::join(words, " and "));
}

std::string evidence_text(const Row& row) {
  std::vector<std::string> known = evidence::words_of(row.evidence);
  if (!row.source.empty()) known.emplace_back(row.source);
  return fmt::format("{}", fmt::join(known, "; "));
}

std::string fact_summary(std::string_view id) {
  const std::vector<FactCase> cases = cases_of(id);
  const FactCase& newest = *std::ranges::max_element(cases, {}, [](const FactCase& one) { return one.row->last; });
  const std::string_view of = newest.ops.front();
  const std::string op = newest.ops.size() == 1 ? std::string(of) : fmt::format("{} and others", of);
  return fmt::format("{}: {}", op, newest.row->sentence);
}

std::string fact_page(std::string_view id) {
  std::string out = fmt::format("# {}\n", id);
  for (const FactCase& one : cases_of(id)) write_case(out, one);
  return out;
}

}  // namespace trtcheck::explain
