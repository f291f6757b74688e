#include <trtcheck/report.hpp>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "report/formats.hpp"
#include "report/unlisted.hpp"
#include "text/printable.hpp"

namespace trtcheck {

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::clean:
      return "clean";
    case Verdict::uncertain:
      return "uncertain";
    case Verdict::refused:
      return "refused";
  }
  return "?";
}

std::string_view to_string(Suppressed::By by) noexcept {
  switch (by) {
    case Suppressed::By::model:
      return "model";
    case Suppressed::By::node:
      return "node";
    case Suppressed::By::settings:
      return "settings";
    case Suppressed::By::baseline:
      return "baseline";
  }
  return "?";
}

std::size_t Report::count(Severity severity) const noexcept {
  const report::Counts counts = report::count_all(*this);
  return severity == Severity::error ? counts.errors : severity == Severity::warning ? counts.warnings : counts.infos;
}

Verdict Report::verdict() const noexcept {
  const report::Counts counts = report::count_all(*this);
  if (counts.errors > 0) return Verdict::refused;
  return counts.warnings > 0 ? Verdict::uncertain : Verdict::clean;
}

namespace {

bool lists_all(const Report& report) { return report.unlisted.empty(); }

std::string document(std::span<const Report> reports, const RenderOptions& options) {
  switch (options.format) {
    case Format::full:
      break;
    case Format::concise:
      return report::render_concise(reports, options);
    case Format::json:
      return report::render_json(reports, options);
    case Format::jsonl:
      return report::render_jsonl(reports, options);
    case Format::sarif:
      return report::render_sarif(reports, options);
    case Format::github:
      return report::render_github(reports, options);
    case Format::gitlab:
      return report::render_gitlab(reports, options);
    case Format::junit:
      return report::render_junit(reports, options);
    case Format::markdown:
      return report::render_markdown(reports, options);
    case Format::html:
      return report::render_html_document(reports, options);
  }
  return report::render_full(reports, options);
}

}  // namespace

std::string render(std::span<const Report> reports, const RenderOptions& options) {
  const bool has_numbers = options.format == Format::json || options.format == Format::jsonl;
  if (has_numbers || std::ranges::all_of(reports, lists_all)) return document(reports, options);
  std::vector<Report> told;
  told.reserve(reports.size());
  std::ranges::transform(reports, std::back_inserter(told), report::with_stand_ins);
  return document(told, options);
}

namespace report {
namespace {

void add(Counts& counts, Severity severity, std::size_t count) noexcept {
  (severity == Severity::error     ? counts.errors
   : severity == Severity::warning ? counts.warnings
                                   : counts.infos) += count;
}

void count_into(std::span<const Finding> findings, bool folded, Counts& counts) noexcept {
  for (const Finding& finding : findings) {
    add(counts, finding.severity, 1);
    counts.folded += folded ? 1 : 0;
    count_into(finding.consequences, true, counts);
  }
}

}  // namespace

Counts count_all(std::span<const Finding> findings) noexcept {
  Counts counts;
  count_into(findings, false, counts);
  return counts;
}

Counts count_all(const Report& report) noexcept {
  Counts counts = count_all(report.findings);
  for (const Unlisted& each : report.unlisted) add(counts, each.severity, each.count);
  return counts;
}

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string counts_text(const Counts& counts) {
  std::string out;
  const auto add = [&out](std::size_t count, std::string_view word) {
    if (count > 0) out += (out.empty() ? "" : ", ") + plural(count, word);
  };
  add(counts.errors, "error");
  add(counts.warnings, "warning");
  add(counts.infos, "info");
  if (counts.folded == 1) out += " (1 of them follows from another)";
  if (counts.folded > 1) out += fmt::format(" ({} of them follow from others)", counts.folded);
  return out.empty() ? "nothing found" : out;
}

std::string failure_line(const Failure& failure) {
  const std::string place = failure.path.empty() ? "" : printable(failure.path) + ": ";
  return fmt::format("{}not checked: {}\n", place, printable(failure.cause));
}

std::string not_checked(std::span<const Failure> failures) {
  return failures.empty() ? "" : fmt::format(", {} not checked", failures.size());
}

std::string display_path(const Report& report) { return report.path.empty() ? "<model>" : printable(report.path); }

}  // namespace report
}  // namespace trtcheck
