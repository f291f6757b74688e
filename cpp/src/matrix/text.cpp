// For a terminal: a line for neighbouring releases with one answer, its reasons below each other.
#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "matrix/formats.hpp"
#include "report/formats.hpp"
#include "report/style.hpp"
#include "report/wording.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::matrix_formats {
namespace {

constexpr std::size_t kVerdictWidth = 9;  // "uncertain"

std::string reason(const Finding& finding) {
  const std::string& place = place_of(finding);
  return fmt::format("{} {}{}", report::code_text(finding), printable(finding.message),
                     place.empty() ? "" : fmt::format(" ({})", printable(place, kMaxName)));
}

std::vector<std::string> reasons(const MatrixRange& range, std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < range.deciding.size() && i < kMostTold; ++i) {
    bool is_first = true;
    for (const std::string& line : wrap(reason(*range.deciding[i]), width)) {
      lines.push_back((is_first ? "" : "  ") + line);
      is_first = false;
    }
  }
  if (std::string more = more_text(range); !more.empty()) lines.push_back(std::move(more));
  return lines;
}

std::string table(const Matrix& matrix, const report::Style& style, std::size_t width) {
  const std::vector<MatrixRange> ranges = matrix.ranges();
  std::size_t first_column = 0;
  for (const MatrixRange& range : ranges) first_column = std::max(first_column, releases_text(range).size());
  const std::size_t indent = 2 + first_column + 2 + kVerdictWidth + 2;
  const std::size_t left = width > indent + 30 ? width - indent - 2 : 30;
  std::string out;
  for (const MatrixRange& range : ranges) {
    const std::string_view verdict = to_string(range.verdict);
    std::string line =
        fmt::format("  {:{}}  {}", releases_text(range), first_column, style.verdict(range.verdict, verdict));
    std::size_t column = indent - 2 - kVerdictWidth + verdict.size();
    for (const std::string& text : reasons(range, left)) {
      out += line + std::string(indent - column, ' ') + text + "\n";
      line.clear();
      column = 0;
    }
    if (!line.empty()) out += line + "\n";
  }
  return out;
}

}  // namespace

std::string render_full(std::span<const Matrix> matrices, const RenderOptions& options) {
  const report::Style style(options.color);
  std::string out;
  for (const Matrix& matrix : matrices) {
    if (!out.empty()) out += '\n';
    out += fmt::format("{}: {} against {}\n", style.bold(report::display_path(matrix.path)),
                       counted(matrix.node_count, "node"), asked_text(matrix));
    out += table(matrix, style, static_cast<std::size_t>(std::max(options.width, 40)));
    for (const std::string& line : taken_texts(matrix)) out += line + "\n";
  }
  for (const Failure& failure : options.failures) out += report::failure_line(failure);
  if (const std::string partial = partial_text(matrices, options); !partial.empty()) out += partial + "\n";
  return out;
}

}  // namespace trtcheck::matrix_formats
