#include "cli/fix_html.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <trtcheck/error.hpp>
#include <trtcheck/picture.hpp>

#include "cli/changed_model.hpp"
#include "report/html_parts.hpp"
#include "target/releases.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

using report::html_prose;

// A page has an end.
constexpr std::size_t kMostRepairs = 500;
constexpr std::size_t kMostLeft = 500;

/// Draws until the layout library turns out to be missing.
class Sides {
 public:
  [[nodiscard]] std::string figure(const Neighbourhood& around, std::string_view caption) {
    if (around.empty() || !failure_.empty()) return "";
    try {
      return fmt::format(
          "<figure><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"the graph {0}\">{1}</div>"
          "<figcaption>{0}</figcaption></figure>\n",
          caption, draw(around, {.title = {}, .standalone = false, .is_finding = caption == "before"}));
    } catch (const Error& error) {
      failure_ = error.cause();
      return "";
    }
  }
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }

 private:
  std::string failure_;
};

std::string name_of(const std::string& code, const std::string& fact) {
  return escape_markup(fact.empty() ? code : code + ":" + fact);
}

std::string lines_html(const std::vector<std::string>& lines, std::string_view tag, char mark) {
  std::string out;
  for (const std::string& line : lines) out += fmt::format("<{0}>{1} {2}</{0}>", tag, mark, escape_markup(line));
  return out;
}

std::string place_html(const AppliedCure& applied) {
  std::string out;
  if (!applied.node.empty())
    out = fmt::format("{} <code>{}</code>", escape_markup(applied.op_type), escape_markup(applied.node));
  if (applied.source) out += fmt::format(" ({}:{})", escape_markup(applied.source->file), applied.source->line);
  return out;
}

std::string repair_html(const AppliedCure& applied, Sides& sides) {
  std::string out = fmt::format(
      "<details class=\"finding\" open>\n<summary><span class=\"badge\">{}</span> <span class=\"code mono\">{}</span> "
      "<span class=\"message\">{}</span> <span class=\"where\">{}</span></summary>\n<div class=\"body\">\n",
      to_string(applied.kind), name_of(applied.code, applied.fact), html_prose(applied.title), place_html(applied));
  out += fmt::format("<dl><dt>repair</dt><dd><code>{}</code></dd>\n<dt>finding</dt><dd>{}</dd></dl>\n",
                     escape_markup(applied.cure),
                     applied.code.empty() ? "none: it was asked for" : html_prose(applied.message));
  const std::string diff = lines_html(applied.before, "del", '-') + lines_html(applied.after, "ins", '+');
  if (!diff.empty()) out += "<pre class=\"change\">" + diff + "</pre>\n";
  const std::string before = sides.figure(applied.before_picture, "before");
  const std::string after = sides.figure(applied.after_picture, "after");
  if (!before.empty() || !after.empty()) out += "<div class=\"sides\">\n" + before + after + "</div>\n";
  return out + "</div></details>\n";
}

std::string left_html(std::span<const LeftFinding> left) {
  if (left.empty()) return "";
  std::string out = fmt::format("<h3>Not repaired: {}</h3>\n<ul>\n", counted(left.size(), "finding"));
  for (const LeftFinding& one : left.first(std::min(left.size(), kMostLeft))) {
    const std::string node = one.node.empty() ? "" : fmt::format(" at <code>{}</code>", escape_markup(one.node));
    out += fmt::format("<li>{} <span class=\"mono\">{}</span>{}: {}<br><span class=\"soft\">{}</span></li>\n",
                       to_string(one.severity), name_of(one.code, one.fact), node, html_prose(one.message),
                       html_prose(one.reason));
  }
  if (left.size() > kMostLeft) out += fmt::format("<li>and {} more</li>\n", left.size() - kMostLeft);
  return out + "</ul>\n";
}

std::string file_html(const FixedFile& file, std::size_t number, Sides& sides) {
  const Fixed& fixed = file.fixed;
  const Report& after = file.written ? *file.written : fixed.after();
  std::string out = fmt::format(
      "<section class=\"model\" aria-labelledby=\"m{0}\">\n<h2 id=\"m{0}\">{1} <span class=\"badge "
      "{2}\">{2}</span></h2>\n<p>for {3}: {4}. Before: {5}. After: {6}; {7}.</p>\n",
      number, report::html_path(file.path), to_string(after.verdict()), full_name(fixed.before().target.release),
      counted(fixed.applied().size(), "repair"), counts_of(fixed.before()), counts_of(after),
      escape_markup(outcome_text(file.output, fixed.is_changed())));
  if (file.confirmation) {
    out += fmt::format("<p>{} says: {}</p>\n", escape_markup(file.confirmation->witness.product),
                       html_prose(confirmation_of(file)));
  }
  const std::size_t shown = std::min(fixed.applied().size(), kMostRepairs);
  for (const AppliedCure& applied : fixed.applied().first(shown)) out += repair_html(applied, sides);
  if (shown < fixed.applied().size()) {
    out += fmt::format("<p class=\"none\">And {} more, which this page does not show.</p>\n",
                       counted(fixed.applied().size() - shown, "repair"));
  }
  return out + left_html(fixed.left()) + "</section>\n";
}

}  // namespace

std::string fix_html(std::span<const FixedFile> files, std::span<const Failure> failures) {
  Sides sides;
  std::string main;
  std::size_t repairs = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    main += file_html(files[i], i + 1, sides);
    repairs += files[i].fixed.applied().size();
  }
  if (!sides.failure().empty()) main += fmt::format("<p>No pictures: {}</p>\n", escape_markup(sides.failure()));
  std::string header = fmt::format("<p class=\"tally\">{} in {}</p>\n", counted(repairs, "repair"),
                                   counted(files.size() + failures.size(), "model"));
  header += report::html_failures("Could not be repaired", failures);
  const bool is_one = files.size() == 1 && failures.empty();
  const std::string name = is_one ? escape_markup(files[0].path) : counted(files.size() + failures.size(), "model");
  const bool is_asked = std::ranges::any_of(files, [](const FixedFile& file) { return file.confirmation.has_value(); });
  report::HtmlPage page{name + " repaired", "trtcheck fix", std::move(header), std::move(main)};
  if (is_asked) page.asked = "NVIDIA's own parser and builder were asked, no GPU was.";
  return report::html_page(page);
}

}  // namespace trtcheck::cli
