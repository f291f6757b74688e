// Resize with antialiasing, or along axes that the layer does not resize: along each axis every result is a fixed mean
// of neighbours, which is a product with a matrix.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"
#include "cure/numbers.hpp"

namespace trtcheck::cure::resize_by_matrix {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

constexpr std::int64_t kMostElements = std::int64_t{1} << 24;

/// What a neighbour counts, by its distance.
class Filter {
 public:
  Filter(bool is_cubic, double a) : is_cubic_(is_cubic), a_(a) {}

  [[nodiscard]] double reach() const noexcept { return is_cubic_ ? 2 : 1; }
  [[nodiscard]] double operator()(double x) const {
    const double t = std::abs(x);
    if (!is_cubic_) return std::max(0.0, 1 - t);
    if (t < 1) return ((a_ + 2) * t - (a_ + 3)) * t * t + 1;
    return t < 2 ? ((a_ * t - 5 * a_) * t + 8 * a_) * t - 4 * a_ : 0;
  }

 private:
  bool is_cubic_;
  double a_;
};

/// One axis, from so many places to so many.
struct Axis {
  std::int64_t from;
  std::int64_t to;
  double scale;
};

/// Where a result lies in the data; nothing: in a way that is not written here.
std::optional<double> place_of(std::string_view mode, std::int64_t k, const Axis& axis) {
  const auto at = static_cast<double>(k);
  if (mode == "half_pixel") return (at + 0.5) / axis.scale - 0.5;
  if (mode == "pytorch_half_pixel") return axis.to > 1 ? (at + 0.5) / axis.scale - 0.5 : 0;
  if (mode == "asymmetric") return at / axis.scale;
  if (mode == "align_corners") {
    return axis.to > 1 ? at * static_cast<double>(axis.from - 1) / static_cast<double>(axis.to - 1) : 0;
  }
  return std::nullopt;
}

struct Form {
  Filter filter;
  std::string places;
  bool is_antialiased;
  bool excludes;
};

/// [from, to]. With antialiasing the filter is as wide as what one result stands for. Places outside count as the last
/// one inside, or, with `exclude_outside`, not at all.
std::optional<std::vector<double>> weights(const Axis& axis, const Form& form) {
  std::vector<double> matrix(static_cast<std::size_t>(axis.from * axis.to), 0);
  const double wide = form.is_antialiased ? std::max(1.0, 1 / axis.scale) : 1;
  const double reach = wide * form.filter.reach();
  for (std::int64_t k = 0; k < axis.to; ++k) {
    const std::optional<double> place = place_of(form.places, k, axis);
    if (!place) return std::nullopt;
    std::vector<double> column(static_cast<std::size_t>(axis.from), 0);
    double sum = 0;
    for (auto i = static_cast<std::int64_t>(std::ceil(*place - reach)); static_cast<double>(i) <= *place + reach; ++i) {
      if (form.excludes && (i < 0 || i >= axis.from)) continue;
      const double weight = form.filter((static_cast<double>(i) - *place) / wide);
      column[static_cast<std::size_t>(std::clamp<std::int64_t>(i, 0, axis.from - 1))] += weight;
      sum += weight;
    }
    for (std::int64_t i = 0; i < axis.from; ++i) {
      matrix[static_cast<std::size_t>(i * axis.to + k)] = column[static_cast<std::size_t>(i)] / sum;
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
  if (mode != "linear" && mode != "cubic") return draft.refuse("it takes the nearest element");
  if (draft.text_attribute("keep_aspect_ratio_policy", "stretch") != "stretch") return false;
  const Ints axes = draft.ints_attribute("axes").value_or(counted(0, static_cast<std::int64_t>(*rank)));
  const std::optional<std::vector<double>> scales = numbers_of(draft, 2, axes.size());
  const std::optional<std::vector<double>> sizes = numbers_of(draft, 3, axes.size());
  if (!scales && !sizes) return draft.refuse("scales or sizes are not constants");
  const Form form{.filter = Filter(mode == "cubic", draft.float_attribute("cubic_coeff_a", -0.75F)),
                  .places = draft.text_attribute("coordinate_transformation_mode", "half_pixel"),
                  .is_antialiased = draft.int_attribute("antialias", 0) != 0,
                  .excludes = draft.int_attribute("exclude_outside", 0) != 0};
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
    const auto made = weights({.from = from, .to = to, .scale = scale}, form);
    if (!made) return draft.refuse(fmt::format("in mode `{}` places differ", form.places));
    const Name matrix = w.numbers(*made, {from, to}, *type, "weights");
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
constexpr std::string_view kFindings[] = {"OPS401:resize-antialias", "OPS412:resize-antialias-unread",
                                          "OPS401:resize-cubic", "OPS401:resize-cubic-axes",
                                          "OPS401:resize-linear-axes"};

}  // namespace

extern constinit const Cure cure{
    .name = "resize-by-matrix",
    .kind = CureClass::rounding,
    .summary =
        "Resize with antialiasing, or along more axes than the layer resizes, is a product with a matrix along each",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::resize_by_matrix
