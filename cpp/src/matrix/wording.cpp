#include <fmt/core.h>

#include "matrix/formats.hpp"
#include "report/formats.hpp"

namespace trtcheck::matrix_formats {
namespace {

std::string span_text(TrtVersion first, TrtVersion last) {
  return first == last ? to_string(first) : fmt::format("{} .. {}", to_string(first), to_string(last));
}

std::string taken_text(const TakenBy& taken) {
  if (!taken.oldest_not_refused) return fmt::format("{}: refused by every release asked", to_string(taken.product));
  const std::string taking = fmt::format("oldest that does not refuse it {}, newest {}",
                                         to_string(*taken.oldest_not_refused), to_string(*taken.newest_not_refused));
  if (!taken.oldest_clean) return fmt::format("{}: clean for none; {}", to_string(taken.product), taking);
  const std::string clean =
      fmt::format("oldest clean {}, newest {}", to_string(*taken.oldest_clean), to_string(*taken.newest_clean));
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

const std::string& place_of(const Finding& finding) noexcept {
  return finding.node.empty() ? finding.value : finding.node;
}

std::vector<std::string> taken_texts(const Matrix& matrix) {
  std::vector<std::string> lines;
  for (const TakenBy& taken : matrix.taken_by()) lines.push_back(taken_text(taken));
  return lines;
}

}  // namespace trtcheck::matrix_formats
