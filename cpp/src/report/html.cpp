// A fragment for notebooks: inline styles only, no script, every text escaped.
#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "report/formats.hpp"
#include "report/printable.hpp"

namespace trtcheck {
namespace report {
namespace {

constexpr std::string_view kMono = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace";

std::string escape(std::string_view text) { return escape_markup(text); }

/// Escaped, with `names in backticks` as code.
std::string prose(std::string_view text) {
  std::string out;
  bool inside = false;
  for (const char c : escape(text)) {
    if (c == '`') {
      out += inside ? "</code>" : "<code>";
      inside = !inside;
    } else {
      out += c;
    }
  }
  return inside ? out + "</code>" : out;
}

// Dark enough on white and light enough on black to be read on both (contrast above 4 to 1 either way).
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

void write_place(std::string& out, const Finding& finding) {
  if (!finding.source) return;
  const SourceLocation& source = *finding.source;
  fmt::format_to(std::back_inserter(out), "<div style=\"margin:4px 0\">{}:{}{}</div>", escape(source.file), source.line,
                 source.function.empty() ? "" : " in " + escape(source.function));
  if (source.code.empty()) return;
  fmt::format_to(std::back_inserter(out),
                 "<pre style=\"margin:4px 0;padding:4px 8px;background:rgba(128,128,128,.12);{}\">{}</pre>", kMono,
                 escape(source.code));
}

std::string node_html(const Finding& finding) {
  std::string node = fmt::format("{} <code>{}</code>", escape(finding.op_type), escape(finding.node));
  if (!finding.graph.empty() && finding.graph != "main") node += " in " + escape(finding.graph);
  for (const std::string& input : finding.signature) node += "<br><code>" + escape(input) + "</code>";
  return node;
}

std::string notes_html(const std::vector<Note>& notes) {
  std::string chain;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const std::string number = notes.size() == 1 ? "" : fmt::format("{}. ", i + 1);
    chain += (i == 0 ? "" : "<br>") + number + prose(notes[i].message);
  }
  return chain;
}

std::string consequences_html(const std::vector<Finding>& consequences) {
  std::string list;
  for (const Finding& next : consequences) {
    list += fmt::format("{}{} {}", list.empty() ? "" : "<br>", escape(next.rule->code), prose(next.message));
  }
  return list;
}

void write_facts(std::string& out, const Finding& finding) {
  write_row(out, "rule", escape(finding.rule->name));
  if (!finding.module.empty()) write_row(out, "module", escape(finding.module));
  if (!finding.node.empty()) write_row(out, "node", node_html(finding));
  if (!finding.notes.empty()) write_row(out, "because", notes_html(finding.notes));
  if (finding.severity != Severity::info && finding.certainty != Certainty::proven) {
    write_row(out, "certainty", escape(to_string(finding.certainty)));
  }
  if (finding.fix) write_row(out, "fix", prose(finding.fix->title));
  if (!finding.consequences.empty()) write_row(out, "follows", consequences_html(finding.consequences));
}

void write_finding(std::string& out, const Finding& finding) {
  const auto sink = std::back_inserter(out);
  fmt::format_to(sink,
                 "<details{} style=\"border-left:3px solid {};padding:2px 0 2px 10px;margin:6px 0\"><summary "
                 "style=\"cursor:pointer\"><b style=\"color:{}\">{} {}</b> {}</summary>",
                 finding.severity == Severity::error ? " open" : "", color_of(finding.severity),
                 color_of(finding.severity), to_string(finding.severity), escape(finding.rule->code),
                 prose(finding.message));
  write_place(out, finding);
  out += "<table style=\"border-collapse:collapse;border:0;margin:4px 0\">";
  write_facts(out, finding);
  out += "</table></details>";
}

}  // namespace
}  // namespace report

std::string render_html(const Report& report) {
  const Verdict verdict = report.verdict();
  std::string out = fmt::format(
      "<div style=\"text-align:left;line-height:1.45\"><div><code>{}</code> <b style=\"color:{}\">{}</b> for TensorRT "
      "{}: {} in {}</div>",
      report::escape(report::display_path(report)), report::color_of(verdict), to_string(verdict),
      to_string(report.target.release), report::counts_text(report::count_all(report.findings)),
      report::plural(report.node_count, "node"));
  for (const Finding& finding : report.findings) report::write_finding(out, finding);
  return out + "</div>\n";
}

}  // namespace trtcheck
