#include <trtcheck/matrix.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include <trtcheck/error.hpp>

#include "matrix/formats.hpp"

namespace trtcheck {
namespace {

/// What makes two answers the same one. Messages may name their release and do not count.
bool same_finding(const Finding* a, const Finding* b) {
  const auto key = [](const Finding* finding) {
    return std::tuple(finding->rule, std::string_view(finding->fact), finding->severity, finding->node_id,
                      std::string_view(finding->value));
  };
  return key(a) == key(b);
}

TakenBy taken_by(std::span<const Report> reports, Product product) {
  TakenBy made{.product = product};
  for (const Report& report : reports) {
    const TrtVersion release = report.target.release;
    if (release.product != product || report.verdict() == Verdict::refused) continue;
    const auto note = [&](std::optional<TrtVersion>& oldest, std::optional<TrtVersion>& newest) {
      if (!oldest || release < *oldest) oldest = release;
      if (!newest || release > *newest) newest = release;
    };
    note(made.oldest_not_refused, made.newest_not_refused);
    if (report.verdict() == Verdict::clean) note(made.oldest_clean, made.newest_clean);
  }
  return made;
}

}  // namespace

std::vector<const Finding*> deciding_findings(const Report& report) {
  const Verdict verdict = report.verdict();
  if (verdict == Verdict::clean) return {};
  const Severity severity = verdict == Verdict::refused ? Severity::error : Severity::warning;
  std::vector<const Finding*> found;
  for (const FindingGroup& group : report.groups()) {
    if (group.front()->severity == severity) found.push_back(group.front());
  }
  return found;
}

std::size_t deciding_unlisted(const Report& report) noexcept {
  const Verdict verdict = report.verdict();
  if (verdict == Verdict::clean) return 0;
  const Severity severity = verdict == Verdict::refused ? Severity::error : Severity::warning;
  std::size_t count = 0;
  for (const Unlisted& each : report.unlisted) count += each.severity == severity ? each.count : 0;
  return count;
}

std::vector<MatrixRange> Matrix::ranges() const {
  std::vector<MatrixRange> made;
  for (const Report& report : reports) {
    const TrtVersion release = report.target.release;
    std::vector<const Finding*> deciding = deciding_findings(report);
    const std::size_t unlisted = deciding_unlisted(report);
    const bool joins = !made.empty() && made.back().last.product == release.product &&
                       made.back().verdict == report.verdict() && made.back().unlisted == unlisted &&
                       std::ranges::equal(made.back().deciding, deciding, same_finding);
    if (!joins) {
      made.push_back({release, release, report.verdict(), std::move(deciding), unlisted});
    } else {
      made.back().last = release;
      made.back().deciding = std::move(deciding);
    }
  }
  return made;
}

std::vector<TakenBy> Matrix::taken_by() const {
  std::vector<TakenBy> made;
  for (const Product product : {Product::tensorrt, Product::rtx}) {
    const auto is_of = [&](const Report& report) { return report.target.release.product == product; };
    if (std::ranges::any_of(reports, is_of)) made.push_back(trtcheck::taken_by(reports, product));
  }
  return made;
}

Matrix matrix(const Analysis& analysis, const CheckOptions& options, std::span<const TrtVersion> releases) {
  CheckOptions asked = options;
  if (asked.most_of_a_rule != 0) asked.most_of_a_rule = std::min(asked.most_of_a_rule, kMostOfARuleInMatrix);
  return {analysis.model().path(), analysis.model().node_count(), check(analysis, asked, releases)};
}

std::string render(std::span<const Matrix> matrices, const RenderOptions& options) {
  switch (options.format) {
    case Format::full:
      return matrix_formats::render_full(matrices, options);
    case Format::json:
      return matrix_formats::render_json(matrices, options);
    case Format::markdown:
      return matrix_formats::render_markdown(matrices, options);
    case Format::html:
      return matrix_formats::render_html(matrices, options);
    default:
      break;
  }
  throw Error("", "a matrix has the formats full, json, markdown and html");
}

}  // namespace trtcheck
