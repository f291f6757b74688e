#include "report/html_parts.hpp"

#include <fmt/core.h>

#include <algorithm>

#include <trtcheck/error.hpp>
#include <trtcheck/picture.hpp>
#include <trtcheck/version.hpp>

#include "report/formats.hpp"
#include "report/groups.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

// A page has an end.
constexpr std::size_t kMaxOthers = 500;

/// Of text that is markup already.
std::string with_code(std::string_view html) {
  std::string out;
  bool inside = false;
  for (const char c : html) {
    if (c == '`') {
      out += inside ? "</code>" : "<code>";
      inside = !inside;
    } else {
      out += c;
    }
  }
  return inside ? out + "</code>" : out;
}

}  // namespace

std::string html_shell(const HtmlShell& shell, std::string_view body) {
  const bool has_script = !shell.script.text.empty();
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{} - trtcheck</title>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{}'; {}base-uri 'none'; "
      "form-action 'none'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"trtcheck {}\">\n"
      "<style>{}</style>\n</head>\n<body>\n",
      shell.title, shell.style.hash, has_script ? fmt::format("script-src '{}'; ", shell.script.hash) : "", version(),
      shell.style.text);
  out += body;
  if (has_script) out.append("<script>").append(shell.script.text).append("</script>\n");
  return out + "</body>\n</html>\n";
}

std::string html_failures(std::string_view what, std::span<const Failure> failures,
                          const std::function<std::string(const Failure&)>& cause) {
  if (failures.empty()) return "";
  std::string out =
      fmt::format("<section class=\"failures\"><h2>{}: {}</h2>\n<ul>\n", what, counted(failures.size(), "model"));
  for (const Failure& failure : failures) {
    out += fmt::format("<li><code>{}</code>: {}</li>\n", escape_markup(failure.path),
                       cause ? cause(failure) : escape_markup(failure.cause));
  }
  return out + "</ul></section>\n";
}

std::string html_prose(std::string_view text) { return with_code(escape_markup(text)); }

std::string html_code_line(std::string_view line) {
  constexpr std::size_t kMostForOne = 4;  // letters that a byte becomes, "\x01"
  return escape_markup(line, kMostForOne * line.size()) + "\n";
}

std::string html_path(std::string_view path) {
  std::string out;
  for (const char c : escape_markup(path)) {
    out += c;
    if (c == '/') out += "<wbr>";
  }
  return out;
}

std::string html_linked(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string word = escape_markup(text.substr(0, end));
    out += text.starts_with("https://") ? fmt::format("<a href=\"{0}\" rel=\"noreferrer\">{0}</a>", word) : word;
    text.remove_prefix(end);
    for (; text.starts_with(' '); text.remove_prefix(1)) out += ' ';
  }
  return with_code(out);
}

std::string html_node(const Finding& finding) {
  if (finding.node.empty()) return "";
  std::string out = fmt::format("{} <code>{}</code>", escape_markup(finding.op_type), escape_markup(finding.node));
  if (!finding.graph.empty() && finding.graph != "main") out += " in " + escape_markup(finding.graph);
  return out;
}

std::string html_others(const FindingGroup& group) {
  std::string out;
  const std::size_t end = std::min(group.size(), kMaxOthers + 1);
  for (std::size_t i = 1; i < end; ++i) {
    const Finding& finding = *group[i];
    const std::string where = finding.node.empty() ? html_prose(place_text(finding)) : html_node(finding);
    const std::string_view said = finding.message == group.front()->message ? std::string_view() : finding.message;
    out += fmt::format("<li>{}{}{}</li>", where, where.empty() || said.empty() ? "" : ": ", html_prose(said));
  }
  if (end < group.size()) out += fmt::format("<li>and {} more</li>", group.size() - end);
  return out;
}

std::string html_searchable(std::string_view what, std::string_view head, std::string_view rows) {
  return fmt::format(
      "<div class=\"searchable\"><form class=\"filters\" role=\"search\" aria-label=\"{0}\" hidden><label "
      "class=\"text\">Text <input type=\"search\" autocomplete=\"off\" placeholder=\"name, operator, size "
      "...\"></label><button type=\"button\">Show all</button><output aria-live=\"polite\"></output></form>\n"
      "<div class=\"models stacked\"><table>\n<thead>{1}</thead>\n"
      "<tbody>\n{2}</tbody>\n</table></div></div>\n",
      what, head, rows);
}

std::string Pictures::draw(const Finding& finding) {
  if (finding.neighbourhood.empty() || !failure_.empty() || drawn_ == limit_) return "";
  try {
    std::string picture = trtcheck::draw(finding.neighbourhood, {.title = {}, .standalone = false});
    ++drawn_;
    return picture;
  } catch (const Error& error) {
    // The report is worth having without pictures; it says why it has none.
    failure_ = error.cause();
    return "";
  }
}

}  // namespace trtcheck::report
