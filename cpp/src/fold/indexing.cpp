// Elements by index: gathered, and scattered.
#include <algorithm>
#include <cstring>
#include <utility>

#include "fold/arithmetic.hpp"
#include "fold/families.hpp"
#include "fold/places.hpp"

namespace trtcheck::fold {
namespace {

std::size_t index_of(std::int64_t index, std::int64_t dim) {
  const std::int64_t at = index < 0 && index >= -dim ? index + dim : index;
  if (at < 0 || at >= dim) {
    throw Unfolded{"index " + std::to_string(index) + " is outside of an axis of size " + std::to_string(dim)};
  }
  return size(at);
}

Outputs gather(const Call& call) {
  const Array& x = call.in(0);
  const Array& indices = call.in(1);
  const std::size_t axis = axis_of(call.integer("axis", 0), x.dims.size());
  Picks picks = all_of(call, x.dims);
  picks[axis].clear();
  for (const std::int64_t index : call.integers(1)) picks[axis].push_back(index_of(index, x.dims[axis]));
  Array made = take(call, x, picks);
  const auto at = made.dims.erase(made.dims.begin() + static_cast<std::ptrdiff_t>(axis));
  made.dims.insert(at, indices.dims.begin(), indices.dims.end());
  static_cast<void>(call.count(made.dims));
  return one(std::move(made));
}

/// For each element of the indices the place that it names: its own index, but for one axis.
Places places_along(const Call& call, const Dims& dims, std::size_t axis) {
  const Array& indices = call.in(1);
  if (indices.dims.size() != dims.size()) throw Unfolded{"indices are not of the rank of the data"};
  Places strides = strides_of(dims);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (i != axis && indices.dims[i] > dims[i]) throw Unfolded{"indices are larger than the data"};
  }
  const std::size_t stride = std::exchange(strides[axis], 0);
  Places places = strided(call, indices.dims, strides);
  const Dims all = call.integers(1);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] += index_of(all[i], dims[axis]) * stride;
  return places;
}

Outputs gather_elements(const Call& call) {
  const Array& x = call.in(0);
  const std::size_t axis = axis_of(call.integer("axis", 0), x.dims.size());
  return one(take(call, x, places_along(call, x.dims, axis), call.in(1).dims));
}

/// The last axis of the indices is a position in the first axes of the data, behind the batch axes.
struct Blocks {
  Places starts;       ///< of a block of the data, for each position
  std::size_t length;  ///< elements of a block
  Dims dims;           ///< of the positions, then of a block
};

Blocks blocks_at(const Call& call, std::size_t batch) {
  const Dims& dims = call.in(0).dims;
  const Dims& index_dims = call.in(1).dims;
  if (index_dims.empty() || batch >= index_dims.size() || batch > dims.size())
    throw Unfolded{"indices have too few axes"};
  const std::size_t depth = size(index_dims.back());
  if (depth > dims.size() - batch) throw Unfolded{"indices name more axes than there are"};
  if (!std::equal(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(batch), index_dims.begin())) {
    throw Unfolded{"batch axes are not equal"};
  }
  const std::span<const std::int64_t> all(dims);
  Blocks made{{}, product(all.subspan(batch + depth)), Dims(index_dims.begin(), index_dims.end() - 1)};
  made.dims.insert(made.dims.end(), dims.begin() + static_cast<std::ptrdiff_t>(batch + depth), dims.end());
  static_cast<void>(call.count(made.dims));
  const Places strides = strides_of(dims);
  const std::size_t positions = product(std::span(index_dims).first(index_dims.size() - 1));
  call.spend(static_cast<std::int64_t>(positions));
  if (call.count(Dims(index_dims.begin(), index_dims.end() - 1)) == 0) return made;
  const std::size_t batches = product(all.first(batch));
  const Dims indices = call.integers(1);
  for (std::size_t i = 0; i < positions; ++i) {
    std::size_t start = batch == 0 ? 0 : i / (positions / batches) * strides[batch - 1];
    for (std::size_t k = 0; k < depth; ++k)
      start += index_of(indices[i * depth + k], dims[batch + k]) * strides[batch + k];
    made.starts.push_back(start);
  }
  return made;
}

Places elements_of(const Blocks& blocks) {
  Places places;
  for (const std::size_t start : blocks.starts) {
    for (std::size_t i = 0; i < blocks.length; ++i) places.push_back(start + i);
  }
  return places;
}

Outputs gather_nd(const Call& call) {
  const std::int64_t batch = call.integer("batch_dims", 0);
  if (batch < 0) throw Unfolded{"attribute `batch_dims` is negative"};
  const Blocks blocks = blocks_at(call, size(batch));
  return one(take(call, call.in(0), elements_of(blocks), blocks.dims));
}

/// Puts updates at these places of a copy of the data.
Array replaced(const Call& call, const Places& places) {
  Array made = call.in(0);
  const std::size_t width = width_of(made.type);
  std::vector<bool> is_written(made.count());
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::byte* to = made.bytes.data() + places[i] * width;
    const std::byte* from = call.in(2).bytes.data() + i * width;
    // ONNX does not say in which order; of equal ones it does not matter.
    if (is_written[places[i]] && std::memcmp(to, from, width) != 0) throw Unfolded{"two updates of one element"};
    is_written[places[i]] = true;
    std::memcpy(to, from, width);
  }
  return made;
}

Array updated(const Call& call, const Places& places) {
  const Array& updates = call.in(2);
  if (updates.count() != places.size()) throw Unfolded{"there are not as many updates as places"};
  const std::string_view reduction = call.text("reduction", "none");
  if (reduction == "none") return replaced(call, places);
  const bool is_known = reduction == "add" || reduction == "mul" || reduction == "min" || reduction == "max";
  if (!is_known) throw Unfolded{"attribute `reduction` is not one that ONNX defines"};
  return in_domain(updates.type, [&](auto zero) {
    using T = decltype(zero);
    const Function2<T> f = reduction == "add"   ? added<T>
                           : reduction == "mul" ? multiplied<T>
                           : reduction == "min" ? smaller<T>
                                                : larger<T>;
    std::vector<T> made = numbers<T>(call.in(0));
    const std::vector<T> values = numbers<T>(updates);
    const bool is_order = reduction == "min" || reduction == "max";
    if (is_order && (std::ranges::any_of(made, is_nan<T>) || std::ranges::any_of(values, is_nan<T>))) {
      throw Unfolded{"ONNX does not define the order of NaN"};
    }
    for (std::size_t i = 0; i < places.size(); ++i)
      made[places[i]] = rounded(updates.type, f(made[places[i]], values[i]));
    return array_of(call.in(0).type, call.in(0).dims, made);
  });
}

Outputs scatter_elements(const Call& call) {
  const Dims& dims = call.in(0).dims;
  if (call.in(2).dims != call.in(1).dims) throw Unfolded{"updates are not of the sizes of indices"};
  return one(updated(call, places_along(call, dims, axis_of(call.integer("axis", 0), dims.size()))));
}

Outputs scatter_nd(const Call& call) {
  const Blocks blocks = blocks_at(call, 0);
  if (call.in(2).dims != blocks.dims) throw Unfolded{"updates are not of the sizes that indices ask for"};
  return one(updated(call, elements_of(blocks)));
}

constexpr Row kIndexingRows[] = {
    {"Gather", gather},
    {"GatherElements", gather_elements},
    {"GatherND", gather_nd},
    {"Scatter", scatter_elements},
    {"ScatterElements", scatter_elements},
    {"ScatterND", scatter_nd},
};

}  // namespace

std::span<const Row> indexing_rows() noexcept { return kIndexingRows; }

}  // namespace trtcheck::fold
