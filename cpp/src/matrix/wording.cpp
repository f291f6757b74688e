#include <fmt/core.h>

#include <algorithm>

#include "matrix/formats.hpp"
#include "report/formats.hpp"

namespace trtcheck::matrix_formats {
namespace {

std::string span_text(TrtVersion first, TrtVersion last) {
  return first == last ? to_string(first) : fmt::format("{} .. {}", to_string(first), to_string(last));
}

/// "8.0 to 11.5"; whether all between them are such is said, too.
template <class IsSuch>
std::string by_text(const Matrix& matrix, TrtVersion oldest, TrtVersion newest, IsSuch is_such) {
  if (oldest == newest) return to_string(oldest);
  const bool has_gaps = std::ranges::any_of(matrix.reports, [&](const Report& report) {
    const TrtVersion release = report.target.release;
    return release.product == oldest.product && oldest < release && release < newest && !is_such(report.verdict());
  });
  return fmt::format("{} to {}{}", to_string(oldest), to_string(newest), has_gaps ? " with gaps" : "");
}

std::string taken_text(const Matrix& matrix, const TakenBy& taken) {
  if (!taken.oldest_not_refused) return fmt::format("{}: refused by every release asked", to_string(taken.product));
  const std::string taking = "not refused by " + by_text(matrix, *taken.oldest_not_refused, *taken.newest_not_refused,
                                                         [](Verdict verdict) { return verdict != Verdict::refused; });
  if (!taken.oldest_clean) return fmt::format("{}: clean for none; {}", to_string(taken.product), taking);
  const std::string clean = "clean for " + by_text(matrix, *taken.oldest_clean, *taken.newest_clean,
                                                   [](Verdict verdict) { return verdict == Verdict::clean; });
  const bool is_same = taken.oldest_clean == taken.oldest_not_refused && taken.newest_clean == taken.newest_not_refused;
  return is_same ? fmt::format("{}: {}", to_string(taken.product), clean)
                 : fmt::format("{}: {}; {}", to_string(taken.product), clean, taking);
}

}  // namespace

std::string releases_text(const MatrixRange& range) { return span_text(range.first, range.last); }

std::string asked_text(const Matrix& matrix) {
  std::string text;
  for (const Product product : {Product::tensorrt, Product::rtx}) {
    const Report *first = nullptr, *last = nullptr;
    for (const Report& report : matrix.reports) {
      if (report.target.release.product != product) continue;
      if (first == nullptr) first = &report;
      last = &report;
    }
    if (first == nullptr) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(product),
                        span_text(first->target.release, last->target.release));
  }
  return text;
}

std::string more_text(const MatrixRange& range) {
  const std::size_t untold = range.deciding.size() - std::min(range.deciding.size(), kMostTold);
  if (range.unlisted == 0) return untold == 0 ? "" : fmt::format("and {} more", untold);
  return fmt::format("and {} more, {} of them not listed", untold + range.unlisted, range.unlisted);
}

const std::string& place_of(const Finding& finding) noexcept {
  return finding.node.empty() ? finding.value : finding.node;
}

std::string partial_text(std::span<const Matrix> matrices, const RenderOptions& options) {
  if (options.failures.empty() || matrices.size() + options.failures.size() < 2) return "";
  return report::asked_models(matrices.size(), options.failures) + report::not_checked(options.failures);
}

std::vector<std::string> taken_texts(const Matrix& matrix) {
  std::vector<std::string> lines;
  for (const TakenBy& taken : matrix.taken_by()) lines.push_back(taken_text(matrix, taken));
  return lines;
}

}  // namespace trtcheck::matrix_formats
