// A comment for a pull request: verdicts as a table, findings folded below it. GitHub refuses comments of more than
// 65,536 characters, so what does not fit is counted, never cut in the middle.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "report/escape.hpp"
#include "report/formats.hpp"
#include "report/groups.hpp"
#include "report/places.hpp"
#include "report/wording.hpp"
#include "text/plural.hpp"

namespace trtcheck::report {
namespace {

// Bytes; room is left for a workflow's own words around the comment.
constexpr std::size_t kMaxTable = 20000;
constexpr std::size_t kMaxComment = 60000;
/// A line that says what was left out, the closing tags before it.
constexpr std::size_t kMaxTail = 400;
constexpr std::size_t kMaxText = 1000;

std::string_view mark(Verdict verdict) {
  return verdict == Verdict::refused ? "❌ refused" : verdict == Verdict::uncertain ? "⚠️ uncertain" : "✅ clean";
}

/// Worst first, in the given order among equals.
std::vector<const Report*> by_verdict(std::span<const Report> reports) {
  std::vector<const Report*> out;
  std::array<std::vector<const Report*>, 3> groups;
  for (const Report& report : reports) groups.at(static_cast<std::size_t>(report.verdict())).push_back(&report);
  for (auto group = groups.rbegin(); group != groups.rend(); ++group)
    out.insert(out.end(), group->begin(), group->end());
  return out;
}

class Comment {
 public:
  explicit Comment(const RenderOptions& options) : options_(options), places_(options), failures_(options.failures) {}

  std::string write(std::span<const Report> reports) {
    const std::vector<const Report*> sorted = by_verdict(reports);
    headline(reports);
    if (!sorted.empty()) table(sorted);
    failures();
    for (const Report* report : sorted) details(*report);
    if (left_out_ > 0) {
      out_ += fmt::format("\n{} not shown: the comment would be too long.\n", counted(left_out_, "more finding"));
    }
    return std::move(out_);
  }

 private:
  void headline(std::span<const Report> reports) {
    const auto of = [reports](Verdict verdict) {
      return std::count_if(reports.begin(), reports.end(),
                           [verdict](const Report& r) { return r.verdict() == verdict; });
    };
    out_ += fmt::format("### trtcheck: {} refused, {} uncertain, {} clean{}\n", of(Verdict::refused),
                        of(Verdict::uncertain), of(Verdict::clean), markdown_prose(not_checked(failures_)));
  }

  void table(const std::vector<const Report*>& reports) {
    out_ += "\n| model | verdict | TensorRT | errors | warnings | infos |\n|---|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < reports.size(); ++i) {
      const Report& report = *reports[i];
      const Counts counts = count_all(report);
      const std::string row =
          fmt::format("| {} | {} | {} | {} | {} | {} |\n", model_name(report), mark(report.verdict()),
                      to_string(report.target.release), counts.errors, counts.warnings, counts.infos);
      if (out_.size() + row.size() > kMaxTable) {
        out_ += fmt::format("\n{} not shown.\n", counted(reports.size() - i, "more model"));
        return;
      }
      out_ += row;
    }
  }

  void failures() {
    if (failures_.empty()) return;
    out_ += fmt::format("\n{} could not be checked:\n\n", counted(failures_.size(), "model"));
    for (std::size_t i = 0; i < failures_.size(); ++i) {
      const std::string item = fmt::format("- {}: {}\n", markdown_code(places_.path(failures_[i].path), kMaxText),
                                           markdown_prose(failures_[i].cause, kMaxText));
      if (out_.size() + item.size() > 2 * kMaxTable) {
        out_ += fmt::format("- and {}\n", counted(failures_.size() - i, "more model"));
        return;
      }
      out_ += item;
    }
  }

  /// All of a finding or nothing of it.
  void details(const Report& report) {
    if (report.findings.empty()) return;
    const std::string head =
        fmt::format("\n<details>\n<summary>{}: {}</summary>\n\n", model_name(report), counts_text(count_all(report)));
    const std::string tail = "\n</details>\n";
    std::string body;
    const std::vector<FindingGroup> groups = told(report, options_);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      std::string item = full_ ? "" : group_text(report, groups[i]);
      full_ = full_ || out_.size() + head.size() + body.size() + item.size() + kMaxTail > kMaxComment;
      if (full_) {
        for (; i < groups.size(); ++i) left_out_ += groups[i].size();
        break;
      }
      body += item;
    }
    if (const std::string_view hint = missing_lines(report); !hint.empty() && !body.empty()) {
      body += fmt::format("\n{}.\n", markdown_prose(hint));
    }
    if (!body.empty()) out_ += head + body + tail;
  }

  [[nodiscard]] std::string group_text(const Report& report, const FindingGroup& group) const {
    const Finding& finding = *group.front();
    std::string out = fmt::format("- **{} {}** {}: {}\n", to_string(finding.severity), code_text(finding),
                                  finding.rule->name, markdown_prose(finding.message, kMaxText));
    for (const Fact& fact : facts(report, group, places_)) {
      if (fact.label == "model") continue;
      const bool is_code = fact.label == "line" || fact.label == "library" || fact.label == "module";
      const std::string text = is_code ? markdown_code(fact.text, kMaxText) : markdown_prose(fact.text, kMaxText);
      fmt::format_to(std::back_inserter(out), "  - {}: {}\n", fact.label, text);
    }
    return out;
  }

  [[nodiscard]] std::string model_name(const Report& report) const {
    return markdown_code(report.path.empty() ? display_path(report) : places_.path(report.path), kMaxText);
  }

  const RenderOptions& options_;
  Places places_;
  std::span<const Failure> failures_;
  std::string out_;
  std::size_t left_out_ = 0;
  bool full_ = false;
};

}  // namespace

std::string render_markdown(std::span<const Report> reports, const RenderOptions& options) {
  return Comment(options).write(reports);
}

}  // namespace trtcheck::report
