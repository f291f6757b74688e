#include <trtcheck/report.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "report/format_rows.hpp"
#include "report/formats.hpp"
#include "report/unlisted.hpp"
#include "text/plural.hpp"
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

}  // namespace

std::string render(std::span<const Report> reports, const RenderOptions& options) {
  const report::FormatRow& format = report::row_of(options.format);
  if (format.counts_unlisted || std::ranges::all_of(reports, lists_all)) return format.render(reports, options);
  std::vector<Report> told;
  told.reserve(reports.size());
  std::ranges::transform(reports, std::back_inserter(told), report::with_stand_ins);
  return format.render(told, options);
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
  for (const Unlisted& each : report.unlisted) {
    add(counts, each.severity, each.count);
    counts.unlisted += each.count;
  }
  return counts;
}

std::string counts_text(const Counts& counts) {
  std::string out;
  const auto add = [&out](std::size_t count, std::string_view word) {
    if (count > 0) out += (out.empty() ? "" : ", ") + counted(count, word);
  };
  add(counts.errors, "error");
  add(counts.warnings, "warning");
  add(counts.infos, "info");
  // Of what is not listed nobody knows what follows from what.
  const std::string_view at_least = counts.unlisted > 0 ? "at least " : "";
  if (counts.folded == 1) out += fmt::format(" ({}1 of them follows from another)", at_least);
  if (counts.folded > 1) out += fmt::format(" ({}{} of them follow from others)", at_least, counts.folded);
  return out.empty() ? "nothing found" : out;
}

std::string failure_line(const Failure& failure) {
  const std::string place = failure.path.empty() ? "" : printable(failure.path) + ": ";
  return fmt::format("{}not checked: {}\n", place, printable(failure.cause));
}

std::string asked_models(std::size_t checked, std::span<const Failure> failures) {
  const std::string asked = counted(checked + failures.size(), "model");
  return failures.empty() ? asked : fmt::format("{} of {}", checked, asked);
}

std::string not_checked(std::span<const Failure> failures) {
  if (failures.empty()) return "";
  std::map<std::string_view, std::size_t> causes;
  for (const Failure& failure : failures) ++causes[failure.cause];
  const auto& [cause, count] =
      *std::ranges::max_element(causes, {}, &std::pair<const std::string_view, std::size_t>::second);
  const std::string all = fmt::format("; {} not checked", failures.size());
  if (count == failures.size()) return fmt::format("{}: {}", all, printable(cause, kMaxName));
  return count == 1 ? all : fmt::format("{}, {} of them: {}", all, count, printable(cause, kMaxName));
}

std::string display_path(std::string_view path) { return path.empty() ? "<model>" : printable(path); }

}  // namespace report
}  // namespace trtcheck
