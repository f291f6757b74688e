// Resize with antialiasing: along each axis every result is a fixed mean of neighbours, which is a product with a
// matrix.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"
#include "cure/numbers.hpp"

namespace trtcheck::cure {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

constexpr std::int64_t kMostElements = std::int64_t{1} << 24;

double linear(double x) { return std::max(0.0, 1 - std::abs(x)); }

/// [from, to]: the filter is as wide as what one result stands for; places outside do not count.
std::vector<double> weights(std::int64_t from, std::int64_t to, double scale) {
  std::vector<double> matrix(static_cast<std::size_t>(from * to), 0);
  const double wide = std::max(1.0, 1 / scale);
  for (std::int64_t k = 0; k < to; ++k) {
    const double centre = (static_cast<double>(k) + 0.5) / scale;
    const double reach = wide;
    const auto first = std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(centre - reach + 0.5)), 0);
    const auto end = std::min<std::int64_t>(static_cast<std::int64_t>(std::floor(centre + reach + 0.5)), from);
    double sum = 0;
    for (std::int64_t i = first; i < end; ++i) sum += linear((static_cast<double>(i) - centre + 0.5) / wide);
    for (std::int64_t i = first; i < end; ++i) {
      matrix[static_cast<std::size_t>(i * to + k)] = linear((static_cast<double>(i) - centre + 0.5) / wide) / sum;
    }
  }
  return matrix;
}

/// One number for each axis that `axes` names, from scales or sizes; nothing: not known.
std::optional<std::vector<double>> numbers_of(Draft& draft, std::size_t input, std::size_t count) {
  if (!draft.node().input(input)) return std::nullopt;
  const std::optional<Constant> constant = draft.contents(draft.node().input(input));
  const std::optional<std::vector<double>> numbers = constant ? real_numbers(*constant) : std::nullopt;
  return numbers && numbers->size() == count ? numbers : std::nullopt;
}

bool make(Draft& draft, const Finding& /*finding*/) {
  const ValueId x = draft.node().input(0);
  const std::optional<std::size_t> rank = draft.rank(x);
  const std::optional<DataType> type = draft.type(x);
  const std::string mode = draft.text_attribute("mode", "nearest");
  if (!rank || !type || !is_float(*type)) return draft.refuse("rank and element type are not known");
  if (mode != "linear") return draft.refuse("it is written for the mode `linear` only");
  const std::string places = draft.text_attribute("coordinate_transformation_mode", "half_pixel");
  if (places != "half_pixel" && places != "pytorch_half_pixel")
    return draft.refuse(fmt::format("in mode `{}` places differ", places));
  if (draft.text_attribute("keep_aspect_ratio_policy", "stretch") != "stretch") return false;
  const Ints axes = draft.ints_attribute("axes").value_or(counted(0, static_cast<std::int64_t>(*rank)));
  const std::optional<std::vector<double>> scales = numbers_of(draft, 2, axes.size());
  const std::optional<std::vector<double>> sizes = numbers_of(draft, 3, axes.size());
  if (!scales && !sizes) return draft.refuse("scales or sizes are not constants");
  Writer w(draft);
  Name y = draft.in(0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::optional<std::size_t> axis = plain_axis(axes[i], *rank);
    if (!axis) return false;
    const Dim dim = draft.shapes()[x].dims[*axis];
    if (scales && scales->at(i) == 1) continue;
    if (!dim.is_literal() || dim.value() < 1)
      return draft.refuse(fmt::format("the size of axis {} is not known", *axis));
    const auto from = dim.value();
    const auto to =
        sizes ? static_cast<std::int64_t>(sizes->at(i))
              : static_cast<std::int64_t>(std::floor(static_cast<float>(from) * static_cast<float>(scales->at(i))));
    if (sizes && to == from) continue;
    if (to < 1 || from * to > kMostElements) return draft.refuse("the matrix would be too large");
    const double scale = sizes ? static_cast<double>(to) / static_cast<double>(from) : scales->at(i);
    const Name matrix = w.numbers(weights(from, to, scale), {from, to}, *type, "weights");
    Ints swapped = counted(0, static_cast<std::int64_t>(*rank));
    std::swap(swapped[*axis], swapped.back());
    const bool is_last = *axis + 1 == *rank;
    y = w.matmul(is_last ? y : w.transpose(y, swapped), matrix);
    if (!is_last) y = w.transpose(y, swapped);
  }
  draft.becomes(0, y);
  draft.remove();
  draft.title("resize by a product with a matrix along each axis");
  return true;
}

constexpr std::string_view kOps[] = {"Resize"};
constexpr std::string_view kFindings[] = {"OPS401:resize-antialias", "OPS412:resize-antialias-unread"};

}  // namespace

extern constinit const Cure resize_by_matrix{
    .name = "resize-by-matrix",
    .kind = CureClass::rounding,
    .summary = "Resize with antialiasing becomes a product with a matrix along each axis",
    .findings = kFindings,
    .ops = kOps,
    .make = make};

}  // namespace trtcheck::cure
