// A fragment for notebooks: inline styles only, no script, every text escaped. The text has the colour of the
// notebook's theme.
#include <fmt/core.h>

#include <iterator>
#include <vector>

#include "report/formats.hpp"
#include "report/groups.hpp"
#include "report/html_parts.hpp"
#include "report/unlisted.hpp"
#include "report/wording.hpp"
#include "target/releases.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck {
namespace report {
namespace {

// A notebook holds every output that it ever showed.
constexpr std::size_t kMaxPictures = 20;
constexpr std::string_view kMono = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace";

// Of lines, never of text, which keeps the colour of the theme: more than 3 to 1 on white and on black.
std::string_view color_of(Severity severity) {
  return severity == Severity::error ? "#d9363e" : severity == Severity::warning ? "#b7791f" : "#3182ce";
}

std::string_view color_of(Verdict verdict) {
  return verdict == Verdict::refused ? "#d9363e" : verdict == Verdict::uncertain ? "#b7791f" : "#2f855a";
}

void write_row(std::string& out, std::string_view label, std::string_view html) {
  fmt::format_to(std::back_inserter(out),
                 "<tr style=\"background:none\"><td style=\"text-align:left;vertical-align:top;opacity:.65;"
                 "padding:1px 10px 1px 0\">{}</td><td style=\"text-align:left;padding:1px 0\">{}</td></tr>",
                 label, html);
}

std::string source_html(const SourceLocation& source) {
  std::string out = fmt::format("<div style=\"margin:4px 0\">{}:{}{}</div>", escape_markup(source.file), source.line,
                                source.function.empty() ? "" : " in " + escape_markup(source.function));
  if (source.code.empty()) return out;
  return out + fmt::format("<pre style=\"margin:4px 0;padding:4px 8px;background:rgba(128,128,128,.12);{}\">{}</pre>",
                           kMono, escape_markup(source.code));
}

std::string node_lines(const Finding& finding) {
  std::string node = html_node(finding);
  for (const std::string& input : finding.signature) node += "<br><code>" + escape_markup(input) + "</code>";
  return node;
}

std::string notes_html(const Finding& finding) {
  std::string chain;
  for (std::size_t i = 0; i < finding.notes.size(); ++i) {
    const Note& note = finding.notes[i];
    const std::string number = finding.notes.size() == 1 ? "" : fmt::format("{}. ", i + 1);
    chain += "<div>" + number + html_prose(note.message) + "</div>";
    if (has_line_of_its_own(finding, i)) chain += source_html(*note.source);
  }
  return chain;
}

std::string fix_html(const Finding& finding) {
  const std::optional<SourceLocation>& source = finding.fix->source;
  return html_prose(finding.fix->title) + (is_another_line(finding, source) ? source_html(*source) : "");
}

std::string consequences_html(const FindingGroup& group) {
  std::string list;
  for (const Finding* finding : group) {
    for (const Finding& next : finding->consequences) {
      list +=
          fmt::format("{}{} {}", list.empty() ? "" : "<br>", escape_markup(next.rule->code), html_prose(next.message));
    }
  }
  return list;
}

std::string others_html(const FindingGroup& group) {
  return fmt::format(
      "<details><summary style=\"cursor:pointer\">{} like this one</summary><ul style=\"margin:4px "
      "0\">{}</ul></details>",
      counted(others(group), "more finding"), html_others(group));
}

void write_facts(std::string& out, const FindingGroup& group) {
  const Finding& finding = *group.front();
  if (finding.fix) write_row(out, "fix", fix_html(finding));
  write_row(out, "rule", escape_markup(finding.rule->name));
  if (finding.library) write_row(out, "library", source_html(*finding.library));
  if (!finding.module.empty()) write_row(out, "module", escape_markup(finding.module));
  if (!finding.node.empty()) write_row(out, "node", node_lines(finding));
  if (!finding.notes.empty()) write_row(out, "because", notes_html(finding));
  if (finding.severity != Severity::info && finding.certainty != Certainty::proven) {
    write_row(out, "certainty", escape_markup(to_string(finding.certainty)));
  }
  if (others(group) > 0) write_row(out, "also", others_html(group));
  if (const std::string html = consequences_html(group); !html.empty()) write_row(out, "follows", html);
}

void write_group(std::string& out, const FindingGroup& group, bool is_open, Pictures& pictures) {
  const Finding& finding = *group.front();
  const auto sink = std::back_inserter(out);
  fmt::format_to(sink,
                 "<details{} style=\"border-left:3px solid {};padding:2px 0 2px 10px;margin:6px 0\"><summary "
                 "style=\"cursor:pointer\"><b style=\"border-bottom:3px solid {}\">{} {}</b> {}</summary>",
                 is_open ? " open" : "", color_of(finding.severity), color_of(finding.severity),
                 to_string(finding.severity), escape_markup(finding.rule->code), html_prose(finding.message));
  if (finding.source) out += source_html(*finding.source);
  out += "<table style=\"border-collapse:collapse;border:0;margin:4px 0\">";
  write_facts(out, group);
  out += "</table>";
  if (const std::string picture = pictures.draw(finding); !picture.empty()) {
    out += "<div style=\"overflow-x:auto;padding:4px 0\">" + picture + "</div>";
  }
  out += "</details>";
}

}  // namespace
}  // namespace report

std::string render_html(const Report& made) {
  const Report report = report::with_stand_ins(made);
  const Verdict verdict = report.verdict();
  std::string out = fmt::format(
      "<div style=\"text-align:left;line-height:1.45\"><div><code>{}</code> <b style=\"border-bottom:3px solid "
      "{}\">{}</b> for {}: {} in {}</div>",
      escape_markup(report::display_path(report)), report::color_of(verdict), to_string(verdict),
      full_name(report.target.release), report::counts_text(report::count_all(report)),
      counted(report.node_count, "node"));
  report::Pictures pictures(report::kMaxPictures);
  const std::vector<FindingGroup> groups = report.groups();
  const bool is_short = groups.size() <= report::kOpenWhenFew;
  for (const FindingGroup& group : groups) {
    report::write_group(out, group, is_short || group.front()->severity == Severity::error, pictures);
  }
  if (!pictures.failure().empty()) out += "<div>no pictures: " + escape_markup(pictures.failure()) + "</div>";
  return out + "</div>\n";
}

std::string render_html(const Finding& finding) {
  report::Pictures pictures(1);
  std::string out = "<div style=\"text-align:left;line-height:1.45\">";
  report::write_group(out, {&finding}, true, pictures);
  return out + "</div>\n";
}

}  // namespace trtcheck
