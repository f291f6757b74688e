#include "report/rule_html.hpp"

#include <cmark.h>
#include <fmt/core.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

constexpr std::string_view kStyle =
    ":root{color-scheme:light dark}"
    "body{max-width:50rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}"
    "code,pre{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em}"
    "pre{overflow-x:auto;padding:.75rem;background:rgba(128,128,128,.12);border-radius:4px}"
    "h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:1.75rem}.facts{opacity:.7}";

struct Free {
  void operator()(char* text) const noexcept { std::free(text); }  // NOLINT: made by malloc in cmark
};

std::string facts(const Rule& rule) {
  std::string out = fmt::format("{} &middot; {} &middot; since {}", to_string(rule.severity), to_string(rule.certainty),
                                escape_markup(rule.since));
  if (rule.ops.empty()) return out;
  out += " &middot; operators: ";
  for (std::size_t i = 0; i < rule.ops.size(); ++i) out += (i == 0 ? "" : ", ") + escape_markup(rule.ops[i]);
  return out;
}

}  // namespace

std::string markdown_html(std::string_view markdown) {
  const std::unique_ptr<char, Free> html(
      cmark_markdown_to_html(markdown.data(), markdown.size(), CMARK_OPT_SAFE | CMARK_OPT_VALIDATE_UTF8));
  if (html == nullptr) throw std::bad_alloc();
  return html.get();
}

std::string rule_html(const Rule& rule) { return markdown_html(rule.docs); }

std::string rule_page(const Rule& rule) {
  const std::string title = escape_markup(rule.code) + " " + escape_markup(rule.name);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>{0} - trtcheck</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p "
      "class=\"facts\">{2}</p>\n<p>{3}</p>\n{4}</body>\n</html>\n",
      title, kStyle, facts(rule), escape_markup(rule.summary), rule_html(rule));
}

}  // namespace trtcheck::report
