// For a wiki or a comment: a table for each model.
#include <fmt/core.h>

#include "matrix/formats.hpp"
#include "report/escape.hpp"
#include "report/formats.hpp"
#include "report/wording.hpp"
#include "text/plural.hpp"

namespace trtcheck::matrix_formats {
namespace {

std::string reasons_of(const MatrixRange& range) {
  std::string cell;
  for (std::size_t i = 0; i < range.deciding.size() && i < kMostTold; ++i) {
    const Finding& finding = *range.deciding[i];
    const std::string& place = place_of(finding);
    cell += fmt::format("{}{} {}{}", i == 0 ? "" : "<br>", report::code_text(finding),
                        report::markdown_prose(finding.message),
                        place.empty() ? "" : fmt::format(" ({})", report::markdown_code(place, kMaxName)));
  }
  if (const std::string more = more_text(range); !more.empty()) cell += "<br>" + more;
  return cell;
}

}  // namespace

std::string render_markdown(std::span<const Matrix> matrices, const RenderOptions& options) {
  std::string out;
  for (const Matrix& matrix : matrices) {
    out += fmt::format("{}### {}\n\n{} against {}.\n\n| releases | verdict | why |\n|---|---|---|\n",
                       out.empty() ? "" : "\n", report::markdown_code(report::display_path(matrix.path)),
                       counted(matrix.node_count, "node"), asked_text(matrix));
    for (const MatrixRange& range : matrix.ranges()) {
      out += fmt::format("| {} | {} | {} |\n", releases_text(range), to_string(range.verdict), reasons_of(range));
    }
    out += '\n';
    for (const std::string& line : taken_texts(matrix)) out += fmt::format("- {}\n", line);
  }
  for (const Failure& failure : options.failures) {
    out += fmt::format("{}{}: not checked: {}\n", out.empty() ? "" : "\n", report::markdown_code(failure.path),
                       report::markdown_prose(failure.cause));
  }
  if (const std::string partial = partial_text(matrices, options); !partial.empty()) {
    out += "\n" + report::markdown_prose(partial) + "\n";
  }
  return out;
}

}  // namespace trtcheck::matrix_formats
