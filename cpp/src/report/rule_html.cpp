#include "report/rule_html.hpp"

#include <cmark.h>
#include <fmt/core.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "html_assets.inc"
#include "report/html_parts.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

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
  return html_shell({title, {kRuleStyle, kRuleStyleHash}},
                    fmt::format("<h1>{}</h1>\n<p class=\"facts\">{}</p>\n<p>{}</p>\n{}", title, facts(rule),
                                escape_markup(rule.summary), rule_html(rule)));
}

}  // namespace trtcheck::report
