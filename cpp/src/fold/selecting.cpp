// Elements by their value or position.
#include <algorithm>
#include <numeric>

#include "fold/arithmetic.hpp"
#include "fold/families.hpp"
#include "fold/places.hpp"

namespace trtcheck::fold {
namespace {

bool is_set(const Array& x, std::size_t i) {
  const std::size_t width = width_of(x.type);
  const auto first = x.bytes.begin() + static_cast<std::ptrdiff_t>(i * width);
  return std::any_of(first, first + static_cast<std::ptrdiff_t>(width), [](std::byte b) { return b != std::byte{0}; });
}

Outputs non_zero(const Call& call) {
  const Array& x = call.in(0);
  const std::size_t rank = x.dims.size();
  if (rank == 0) throw Unfolded{"NonZero of a scalar is not evaluated"};
  Places found;
  // Minus zero has a bit that is set.
  const bool has_minus_zero = is_real(x.type);
  const std::vector<double> values = has_minus_zero ? numbers<double>(x) : std::vector<double>();
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (has_minus_zero ? values[i] != 0 : is_set(x, i)) found.push_back(i);
  }
  const Dims dims{static_cast<std::int64_t>(rank), static_cast<std::int64_t>(found.size())};
  Dims made(call.count(dims));
  const Places strides = strides_of(x.dims);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    for (std::size_t i = 0; i < found.size(); ++i) {
      made[axis * found.size() + i] = static_cast<std::int64_t>(found[i] / strides[axis] % size(x.dims[axis]));
    }
  }
  return one(array_of(DataType::int64, dims, made));
}

Outputs compress(const Call& call) {
  Array x = call.in(0);
  const Array& condition = call.in(1);
  std::size_t axis = 0;
  if (call.node.attribute("axis") == nullptr) {
    x.dims = {static_cast<std::int64_t>(x.count())};
  } else {
    axis = axis_of(call.integer("axis", 0), x.dims.size());
  }
  if (condition.dims.size() != 1 || condition.dims[0] > x.dims[axis])
    throw Unfolded{"the condition is longer than the axis"};
  Picks picks = all_of(call, x.dims);
  picks[axis].clear();
  for (std::size_t i = 0; i < condition.count(); ++i) {
    if (is_set(condition, i)) picks[axis].push_back(i);
  }
  return one(take(call, x, picks));
}

Outputs trilu(const Call& call) {
  Array made = call.in(0);
  const std::size_t rank = made.dims.size();
  if (rank < 2) throw Unfolded{"the input has fewer than two axes"};
  const std::int64_t k = call.maybe(1) == nullptr ? 0 : call.one_integer(1);
  const bool is_upper = call.integer("upper", 1) != 0;
  const std::int64_t rows = made.dims[rank - 2];
  const std::int64_t columns = made.dims[rank - 1];
  const std::size_t width = width_of(made.type);
  const std::int64_t diagonal = std::clamp(k, -rows - 1, columns + 1);
  for (std::size_t i = 0; i < made.count(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const std::int64_t distance = at % columns - at / columns % rows;
    if (is_upper ? distance >= diagonal : distance <= diagonal) continue;
    std::fill_n(made.bytes.begin() + static_cast<std::ptrdiff_t>(i * width), width, std::byte{0});
  }
  return one(std::move(made));
}

std::int64_t wanted_count(const Call& call, std::int64_t dim) {
  const std::int64_t k = call.opset < 10 ? call.integer("k", -1) : call.one_integer(1);
  if (k < 0 || k > dim) throw Unfolded{"k is larger than the axis, or negative"};
  return k;
}

/// For each line along the axis the places of its k first elements in order; of equal ones the first.
template <class T>
Places best_of(const Call& call, const Dims& dims, std::size_t axis, std::size_t k, bool is_largest) {
  const std::vector<T> values = numbers<T>(call.in(0));
  if (std::any_of(values.begin(), values.end(), is_nan<T>)) throw Unfolded{"ONNX does not define the order of NaN"};
  const std::size_t inner = product(std::span(dims).subspan(axis + 1));
  const std::size_t length = size(dims[axis]);
  Places made(values.size() / std::max<std::size_t>(length, 1) * k);
  Places line(length);
  for (std::size_t i = 0; i < made.size() / std::max<std::size_t>(k, 1); ++i) {
    for (std::size_t j = 0; j < length; ++j) line[j] = (i / inner * length + j) * inner + i % inner;
    std::stable_sort(line.begin(), line.end(), [&](std::size_t a, std::size_t b) {
      return is_largest ? values[a] > values[b] : values[a] < values[b];
    });
    for (std::size_t j = 0; j < k; ++j) made[(i / inner * k + j) * inner + i % inner] = line[j];
  }
  return made;
}

Outputs top_k(const Call& call) {
  const Array& x = call.in(0);
  const std::size_t axis = axis_of(call.integer("axis", -1), x.dims.size());
  const std::int64_t k = wanted_count(call, x.dims[axis]);
  if (call.integer("sorted", 1) == 0 && k > 1) throw Unfolded{"the order of unsorted elements is not defined"};
  Dims dims = x.dims;
  dims[axis] = k;
  call.spend(static_cast<std::int64_t>(x.count()) * 20);
  const bool is_largest = call.integer("largest", 1) != 0;
  const Places best =
      in_domain(x.type, [&](auto zero) { return best_of<decltype(zero)>(call, x.dims, axis, size(k), is_largest); });
  const std::size_t inner = product(std::span(x.dims).subspan(axis + 1));
  Dims indices;
  for (const std::size_t place : best) indices.push_back(static_cast<std::int64_t>(place / inner % size(x.dims[axis])));
  Outputs made = one(take(call, x, best, dims));
  made.push_back(array_of(DataType::int64, dims, indices));
  return made;
}

constexpr Row kSelectingRows[] = {
    {"Compress", compress},
    {"NonZero", non_zero},
    {"TopK", top_k},
    {"Trilu", trilu},
};

}  // namespace

std::span<const Row> selecting_rows() noexcept { return kSelectingRows; }

}  // namespace trtcheck::fold
