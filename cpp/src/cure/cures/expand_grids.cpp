// Grids and windows, which are constants once their size is known.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "cure/cures/expansions.hpp"

namespace trtcheck::cure {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

/// The centre of a pixel, or with `aligned` corners that of the corners, from -1 to 1.
double place_of(std::int64_t i, std::int64_t size, bool is_aligned) {
  const auto at = static_cast<double>(i);
  const auto of = static_cast<double>(size);
  if (is_aligned) return size == 1 ? 0 : at * 2 / (of - 1) - 1;
  return (2 * at + 1) / of - 1;
}

bool affine_grid(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  const std::optional<Ints> size = draft.ints(draft.node().input(1));
  if (!size)
    return draft.refuse(
        fmt::format("`{}` is not a constant: {}", draft.in(1), draft.why_unknown(draft.node().input(1))));
  if (size->size() != 4 && size->size() != 5) return false;
  const Ints sizes(size->begin() + 2, size->end());
  const bool is_aligned = draft.int_attribute("align_corners", 0) != 0;
  std::int64_t points = 1;
  for (const std::int64_t one : sizes) points *= one;
  constexpr std::int64_t kMostPoints = std::int64_t{1} << 24;
  if (points < 1 || points > kMostPoints) return draft.refuse("the grid has too many points to be stored");
  std::vector<double> base;
  for (std::int64_t point = 0; point < points; ++point) {
    // x first, which is the last axis of the size.
    std::int64_t rest = point;
    for (std::size_t i = sizes.size(); i-- > 0;) {
      base.push_back(place_of(rest % sizes[i], sizes[i], is_aligned));
      rest /= sizes[i];
    }
    base.push_back(1);
  }
  const auto dims = static_cast<std::int64_t>(sizes.size());
  const Name grid = w.numbers(base, {points, dims + 1}, *type, "grid");
  Ints shape = {size->front()};
  shape.insert(shape.end(), sizes.begin(), sizes.end());
  shape.push_back(dims);
  draft.becomes(0, w.reshape(w.matmul(grid, w.transpose(draft.in(0), {0, 2, 1})), shape));
  return true;
}

/// a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N)
bool window(Writer& w, double a0, double a1, double a2) {
  Draft& draft = w.draft();
  const std::optional<Ints> size = draft.ints(draft.node().input(0));
  if (!size || size->size() != 1) {
    return draft.refuse(
        fmt::format("`{}` is not a constant: {}", draft.in(0), draft.why_unknown(draft.node().input(0))));
  }
  constexpr std::int64_t kMost = std::int64_t{1} << 20;
  if (size->front() < 1 || size->front() > kMost) return false;
  const auto type = static_cast<DataType>(draft.int_attribute("output_datatype", 1));
  if (!is_float(type)) return draft.refuse("windows of whole numbers are all zeros and ones");
  const bool is_periodic = draft.int_attribute("periodic", 1) != 0;
  const double length = static_cast<double>(size->front()) - (is_periodic ? 0 : 1);
  if (length == 0) return draft.refuse("ONNX divides by zero for a symmetric window of one element");
  std::vector<double> values;
  for (std::int64_t i = 0; i < size->front(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / length;
    values.push_back(a0 - a1 * std::cos(angle) + a2 * std::cos(2 * angle));
  }
  draft.becomes(0, w.numbers(values, {size->front()}, type, "window"));
  return true;
}

bool hann(Writer& w) { return window(w, 0.5, 0.5, 0); }
bool hamming(Writer& w) { return window(w, 25.0 / 46.0, 21.0 / 46.0, 0); }
bool blackman(Writer& w) { return window(w, 0.42, 0.5, 0.08); }

constexpr Expansion kExpandGrids[] = {{.op = "AffineGrid", .write = affine_grid},
                                      {.op = "BlackmanWindow", .write = blackman},
                                      {.op = "HammingWindow", .write = hamming},
                                      {.op = "HannWindow", .write = hann}};

}  // namespace

std::span<const Expansion> grid_expansions() noexcept { return kExpandGrids; }

}  // namespace trtcheck::cure
