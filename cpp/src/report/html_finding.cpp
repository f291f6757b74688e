#include "report/html_finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "report/formats.hpp"
#include "report/groups.hpp"
#include "report/repairs.hpp"
#include "report/wording.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

// A cause may have thousands of consequences, a name may be as long as the file: a page has an end.
constexpr std::size_t kMaxConsequences = 50;
constexpr std::size_t kMaxNotesOfPage = 24;

void item(std::string& out, std::string_view label, std::string_view html) {
  fmt::format_to(std::back_inserter(out), "<dt>{}</dt><dd>{}</dd>\n", label, html);
}

/// The codes of the finding and of what follows from it, for the filter by rule.
std::string rules_of(const FindingGroup& group) {
  std::set<std::string_view> codes{group.front()->rule->code};
  for (const Finding* finding : group) {
    for (const Finding& next : finding->consequences) codes.insert(next.rule->code);
  }
  return fmt::format("{}", fmt::join(codes, " "));
}

std::string place_of(const Finding& finding) {
  if (finding.source) return fmt::format("{}:{}", escape_markup(finding.source->file), finding.source->line);
  if (!finding.node.empty()) return html_node(finding);
  return finding.value.empty() ? "" : fmt::format("tensor <code>{}</code>", escape_markup(finding.value));
}

/// "net.py:12 and 3 more like it"
std::string where_of(const FindingGroup& group) {
  std::string place = place_of(*group.front());
  if (others(group) == 0) return place;
  return fmt::format("{}{}and {} more like it", place, place.empty() ? "" : " ", others(group));
}

std::string head(const FindingGroup& group) {
  const Finding& finding = *group.front();
  const std::string_view severity = to_string(finding.severity);
  const std::string where = where_of(group);
  return fmt::format(
      "<span class=\"badge {0}\">{0}</span> <span class=\"code mono\">{1}</span> <span class=\"message\">{2}</span>{3}",
      severity, escape_markup(code_text(finding)), html_prose(finding.message),
      where.empty() ? "" : " <span class=\"where\">" + where + "</span>");
}

std::string data(const FindingGroup& group) {
  return fmt::format("data-severity=\"{}\" data-rules=\"{}\"{}", to_string(group.front()->severity), rules_of(group),
                     others(group) == 0 ? "" : fmt::format(" data-count=\"{}\"", group.size()));
}

std::string source_html(const SourceLocation& source) {
  std::string out = fmt::format("<span class=\"mono\">{}:{}</span>", escape_markup(source.file), source.line);
  if (!source.function.empty()) out += fmt::format(" in <code>{}</code>", escape_markup(source.function));
  if (source.code.empty()) return out;
  return out + fmt::format("<pre class=\"excerpt\"><b>{}</b>  {}</pre>", source.line, escape_markup(source.code));
}

std::string node_html(const Finding& finding) {
  std::string out = html_node(finding);
  if (finding.signature.empty()) return out;
  out += "<pre class=\"signature\">";
  for (const std::string& input : finding.signature) out += escape_markup(input) + "\n";
  return out + "</pre>";
}

std::string notes_html(const Finding& finding) {
  std::string out = "<ol>";
  const std::size_t shown = std::min(finding.notes.size(), kMaxNotesOfPage);
  for (std::size_t i = 0; i < shown; ++i) {
    out += "<li>" + html_prose(note_text(finding, finding.notes[i]));
    if (has_line_of_its_own(finding, i)) out += "<br>" + source_html(*finding.notes[i].source);
    out += "</li>";
  }
  if (shown < finding.notes.size()) out += fmt::format("<li>and {} more</li>", finding.notes.size() - shown);
  return out + "</ol>";
}

std::string fix_html(const Finding& finding) {
  const Fix& fix = *finding.fix;
  std::string out = "<span class=\"fix\">" + html_prose(fix.title) + "</span>";
  if (is_another_line(finding, fix.source)) out += "<br>" + source_html(*fix.source);
  return out;
}

/// Whether one of them helps, only trying tells.
std::string cures_html(const Finding& finding) {
  std::string out;
  for (const std::string& name : cure_names(finding)) {
    out += fmt::format("{}<code>{}</code>", out.empty() ? "<code>trtcheck fix</code> may do it: " : ", ",
                       escape_markup(name));
  }
  return out;
}

std::string consequences_html(const FindingGroup& group) {
  std::vector<const Finding*> consequences;
  for (const Finding* finding : group) {
    for (const Finding& next : finding->consequences) consequences.push_back(&next);
  }
  if (consequences.empty()) return "";
  std::string out = "<ul>";
  const std::size_t shown = std::min(consequences.size(), kMaxConsequences);
  for (std::size_t i = 0; i < shown; ++i) {
    const Finding& next = *consequences[i];
    const std::string node = html_node(next);
    out += fmt::format("<li>{0} <a class=\"mono\" href=\"#rule-{1}\">{1}</a> {2}{3}</li>", to_string(next.severity),
                       escape_markup(next.rule->code), html_prose(next.message),
                       node.empty() ? "" : " <span class=\"soft\">(" + node + ")</span>");
  }
  if (shown < consequences.size()) out += fmt::format("<li>and {} more</li>", consequences.size() - shown);
  return out + "</ul>";
}

std::string evidence_html(const std::vector<std::string>& evidence) {
  std::string out = "<ul>";
  for (const std::string& source : evidence) out += "<li>" + html_linked(source) + "</li>";
  return out + "</ul>";
}

std::string others_html(const FindingGroup& group) {
  return fmt::format("<details class=\"others\"><summary>{} like this one</summary><ul>{}</ul></details>",
                     counted(others(group), "more finding"), html_others(group));
}

std::string facts_html(const FindingGroup& group) {
  const Finding& finding = *group.front();
  std::string out = "<dl>";
  // What to do, where, and only then why.
  if (finding.fix) item(out, "fix", fix_html(finding));
  if (const std::string html = cures_html(finding); !html.empty()) item(out, "repair", html);
  if (finding.source) item(out, "line", source_html(*finding.source));
  if (finding.library) item(out, "library", source_html(*finding.library));
  if (!finding.module.empty()) item(out, "module", "<code>" + escape_markup(finding.module) + "</code>");
  if (!finding.node.empty()) item(out, "node", node_html(finding));
  if (!finding.value.empty()) item(out, "tensor", "<code>" + escape_markup(finding.value) + "</code>");
  if (!finding.notes.empty()) item(out, "because", notes_html(finding));
  if (const std::string_view text = doubt(finding); !text.empty()) item(out, "certainty", escape_markup(text));
  if (!finding.witness.empty()) item(out, "witness", escape_markup(finding.witness));
  if (others(group) > 0) item(out, "also", others_html(group));
  if (const std::string html = consequences_html(group); !html.empty()) item(out, "follows", html);
  item(out, "rule",
       fmt::format("<a href=\"#rule-{0}\">{0} {1}</a>: {2}", escape_markup(finding.rule->code),
                   escape_markup(finding.rule->name), html_prose(finding.rule->summary)));
  if (!finding.evidence.empty()) item(out, "evidence", evidence_html(finding.evidence));
  if (!finding.fingerprint.empty()) {
    item(out, "fingerprint", "<code>" + escape_markup(finding.fingerprint) + "</code>");
  }
  return out + "</dl>\n";
}

}  // namespace

std::string html_finding(const FindingGroup& group, const HtmlFinding& how, Pictures& pictures) {
  const std::string picture = pictures.draw(*group.front());
  std::string out = fmt::format("<details class=\"finding\" id=\"{}\" {}{}>\n<summary>{}</summary>\n", how.id,
                                data(group), how.is_open ? " open" : "", head(group));
  out += "<div class=\"body\"><div class=\"parts\">\n<div>";
  out += facts_html(group) + "</div>\n";
  if (!picture.empty()) {
    // Pictures may be wider than the page: the keyboard has to get at the scroll bar.
    out += "<figure><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"picture of the graph\">" +
           picture +
           "</div><figcaption>The graph around it: who makes a tensor is above who reads it.</figcaption></figure>\n";
  }
  return out + "</div></div>\n</details>\n";
}

std::string html_brief_finding(const FindingGroup& group) {
  return fmt::format("<div class=\"finding brief\" {}><div class=\"line\">{}</div></div>\n", data(group), head(group));
}

}  // namespace trtcheck::report
