#include "report/wording.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "evidence/evidence.hpp"
#include "report/formats.hpp"
#include "report/groups.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

constexpr std::size_t kMaxNotes = 12;

std::string node_text(const Finding& finding) {
  std::string text = finding.op_type + (finding.op_type.empty() ? "`" : " `") + finding.node + "`";
  if (!finding.graph.empty() && finding.graph != "main") text += " in " + finding.graph;
  return text;
}

bool is_same_line(const std::optional<SourceLocation>& a, const std::optional<SourceLocation>& b) {
  return a && b && a->line == b->line && a->file == b->file;
}

std::string line_text(const SourceLocation& source, const Places& places) {
  return fmt::format("{}:{}{}{}", places.path(source.file), source.line, source.function.empty() ? "" : " in ",
                     source.function);
}

/// " (line `net.py:12`)"
std::string place_of(const SourceLocation& source, const Places& places) {
  return fmt::format(" (line `{}:{}`)", places.path(source.file), source.line);
}

bool is_reported(const Finding& finding) noexcept { return std::ranges::any_of(finding.evidence, evidence::is_report); }

}  // namespace

std::string note_text(const Finding& finding, const Note& note) {
  std::string text = printable(note.message);
  const std::string node = printable(note.node, kMaxName);
  if (!node.empty() && note.node != finding.node && text.find("`" + node + "`") == std::string::npos)
    text += fmt::format(" (at `{}`)", node);
  return text;
}

bool is_another_line(const Finding& finding, const std::optional<SourceLocation>& source) noexcept {
  return source && !is_same_line(finding.source, source);
}

bool has_line_of_its_own(const Finding& finding, std::size_t note) noexcept {
  const std::optional<SourceLocation>& source = finding.notes[note].source;
  return is_another_line(finding, source) && (note == 0 || !is_same_line(finding.notes[note - 1].source, source));
}

std::string line_in_brackets(const std::optional<SourceLocation>& source) {
  return source ? fmt::format(" ({}:{})", source->file, source->line) : std::string();
}

std::string_view doubt(const Finding& finding) noexcept {
  // Advice needs no warranty.
  if (finding.severity == Severity::info) return "";
  switch (finding.certainty) {
    case Certainty::likely:
      if (finding.of_other_releases) return "likely: known of other releases";
      return is_reported(finding) ? "likely: users reported such failures" : "likely";
    case Certainty::possible:
      return "possible: suspected, not reported";
    case Certainty::proven:
      break;
  }
  return "";
}

std::string code_text(const Finding& finding) {
  const std::string code(finding.rule->code);
  return finding.fact.empty() ? code : code + ":" + finding.fact;
}

std::string consequences_text(const FindingGroup& group) {
  std::size_t total = 0;
  std::map<std::string_view, std::size_t> by_code;
  for (const Finding* finding : group) {
    const Counts counts = count_all(finding->consequences);
    total += counts.errors + counts.warnings + counts.infos;
    for (const Finding& consequence : finding->consequences) ++by_code[consequence.rule->code];
  }
  if (total == 0) return "";
  std::string codes;
  for (const auto& [code, count] : by_code) {
    if (!codes.empty()) codes += ", ";
    codes += count == 1 ? std::string(code) : fmt::format("{} x{}", code, count);
  }
  return fmt::format("{} ({})", counted(total, "further finding"), codes);
}

std::vector<Fact> facts(const Report& report, const Finding& finding, const Places& places) {
  return facts(report, FindingGroup{&finding}, places);
}

std::vector<Fact> facts(const Report& report, const FindingGroup& group, const Places& places) {
  const Finding& finding = *group.front();
  std::vector<Fact> out;
  const auto add = [&out](std::string_view label, std::string text) {
    if (!text.empty()) out.push_back({label, std::move(text)});
  };
  add("model", report.path);
  if (finding.source) add("line", line_text(*finding.source, places));
  if (finding.library) add("library", line_text(*finding.library, places));
  add("module", finding.module);
  if (!finding.node.empty()) add("node", node_text(finding));
  if (finding.node.empty() && !finding.value.empty()) add("tensor", "`" + finding.value + "`");
  const std::size_t shown = std::min(finding.notes.size(), kMaxNotes);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string number = finding.notes.size() > 1 ? fmt::format("{}. ", i + 1) : "";
    const std::string where = has_line_of_its_own(finding, i) ? place_of(*finding.notes[i].source, places) : "";
    add("because", fmt::format("{}{}{}", number, note_text(finding, finding.notes[i]), where));
  }
  if (shown < finding.notes.size()) add("because", fmt::format("... {} more", finding.notes.size() - shown));
  add("certainty", std::string(doubt(finding)));
  add("witness", finding.witness);
  if (finding.fix) {
    const std::optional<SourceLocation>& source = finding.fix->source;
    add("fix", finding.fix->title + (is_another_line(finding, source) ? place_of(*source, places) : ""));
  }
  add("also", others_text(group));
  add("follows", consequences_text(group));
  add("more", fmt::format("trtcheck explain {}", code_text(finding)));
  return out;
}

std::string_view missing_lines(const Report& report) noexcept {
  const auto has_line = [](const Finding& finding) { return finding.source || finding.library; };
  const auto has_module = [](const Finding& finding) { return !finding.module.empty(); };
  if (std::ranges::any_of(report.findings, has_line) || std::ranges::none_of(report.findings, has_module)) return "";
  return "the model holds no lines of Python: export it with `dynamo=True` or `verbose=True` to see them here";
}

}  // namespace trtcheck::report
