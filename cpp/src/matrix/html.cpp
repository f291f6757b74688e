// One page in the style of the HTML report: a table for each model, no script.
#include <utility>

#include <fmt/core.h>

#include "matrix/formats.hpp"
#include "report/formats.hpp"
#include "report/html_parts.hpp"
#include "report/wording.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::matrix_formats {
namespace {

std::string reasons(const MatrixRange& range) {
  if (range.deciding.empty() && range.unlisted == 0) return "";
  std::string cell = "<ul>";
  for (std::size_t i = 0; i < range.deciding.size() && i < kMostTold; ++i) {
    const Finding& finding = *range.deciding[i];
    const std::string& place = place_of(finding);
    cell += fmt::format("<li><span class=\"mono\">{}</span> {}{}</li>", escape_markup(report::code_text(finding)),
                        report::html_prose(finding.message),
                        place.empty() ? "" : fmt::format(" (<code>{}</code>)", escape_markup(place, kMaxName)));
  }
  if (const std::string more = more_text(range); !more.empty()) cell += fmt::format("<li>{}</li>", more);
  return cell + "</ul>";
}

/// "rtx-1.7" does not break at its hyphen. @pre `text` is markup
std::string whole_names(std::string_view text) {
  constexpr std::string_view kPrefix = "rtx-";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text.find(kPrefix, at), text.size());
    out += text.substr(at, begin - at);
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", begin + kPrefix.size()), text.size());
    if (begin < text.size()) out += fmt::format("<span class=\"whole\">{}</span>", text.substr(begin, end - begin));
    at = end;
  }
  return out;
}

std::string section(const Matrix& matrix, std::size_t number) {
  const std::string out = fmt::format(
      "<section class=\"model\" aria-labelledby=\"m{0}\">\n<h2 id=\"m{0}\">{1}</h2>\n<p>{2} against {3}</p>\n", number,
      report::html_path(report::display_path(matrix.path)), counted(matrix.node_count, "node"),
      whole_names(asked_text(matrix)));
  return out + html_table(matrix) + "</section>\n";
}

}  // namespace

std::string html_table(const Matrix& matrix) {
  std::string out = fmt::format(
      "<div class=\"models releases scroll\" tabindex=\"0\" role=\"group\" aria-label=\"releases of "
      "{}\"><table>\n<thead><tr>"
      "<th scope=\"col\">Releases</th><th scope=\"col\">Verdict</th><th scope=\"col\">Why</th></tr></thead>\n<tbody>\n",
      escape_markup(report::display_path(matrix.path)));
  for (const MatrixRange& range : matrix.ranges()) {
    out += fmt::format("<tr><th scope=\"row\">{0}</th><td><span class=\"badge {1}\">{1}</span></td><td>{2}</td></tr>\n",
                       releases_text(range), to_string(range.verdict), reasons(range));
  }
  out += "</tbody>\n</table></div>\n";
  for (const std::string& line : taken_texts(matrix)) {
    out += fmt::format("<p>{}</p>\n", whole_names(escape_markup(line)));
  }
  return out;
}

std::string render_html(std::span<const Matrix> matrices, const RenderOptions& options) {
  std::string sections;
  for (std::size_t i = 0; i < matrices.size(); ++i) sections += section(matrices[i], i + 1);
  const std::string name =
      matrices.size() == 1 ? escape_markup(report::display_path(matrices[0].path)) : counted(matrices.size(), "model");
  return report::html_page(
      {name + " by release", "trtcheck matrix",
       fmt::format("<p class=\"tally\">{}{}</p>\n{}", report::asked_models(matrices.size(), options.failures),
                   escape_markup(report::not_checked(options.failures)),
                   report::html_failures("Could not be checked", options.failures)),
       std::move(sections)});
}

}  // namespace trtcheck::matrix_formats
