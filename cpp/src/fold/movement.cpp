// The same elements under other dims, or in another order.
#include <algorithm>

#include "fold/families.hpp"
#include "fold/places.hpp"

namespace trtcheck::fold {
namespace {

Outputs with_dims(const Call& call, Dims dims) {
  const Array& x = call.in(0);
  if (call.count(dims) != x.count()) throw Unfolded{"the new sizes do not keep the number of elements"};
  return one({x.type, std::move(dims), x.bytes});
}

Outputs identity(const Call& call) { return one(call.in(0)); }

Outputs reshape(const Call& call) {
  const Dims& old = call.in(0).dims;
  Dims dims = call.list("shape", 1, 5).value_or(Dims{});
  const bool allows_zero = call.opset >= 14 && call.integer("allowzero", 0) != 0;
  std::int64_t rest = 1;
  std::int64_t* unknown = nullptr;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == -1 && unknown != nullptr) throw Unfolded{"more than one -1 in a shape"};
    if (dims[i] == -1) {
      unknown = &dims[i];
      continue;
    }
    if (dims[i] == 0 && !allows_zero) {
      if (i >= old.size()) throw Unfolded{"a 0 in a shape copies a size that is not there"};
      dims[i] = old[i];
    }
    if (__builtin_mul_overflow(rest, dims[i], &rest))
      throw Unfolded{"the new sizes do not keep the number of elements"};
  }
  if (unknown != nullptr) {
    if (rest <= 0) throw Unfolded{"a -1 in a shape next to a 0 can be any size"};
    *unknown = static_cast<std::int64_t>(call.in(0).count()) / rest;
  }
  return with_dims(call, std::move(dims));
}

Outputs flatten(const Call& call) {
  const Dims& old = call.in(0).dims;
  const std::int64_t stated = call.integer("axis", 1);
  const std::size_t axis = stated == static_cast<std::int64_t>(old.size()) ? old.size() : axis_of(stated, old.size());
  const std::span<const std::int64_t> all(old);
  const auto joined = [](std::span<const std::int64_t> dims) { return static_cast<std::int64_t>(product(dims)); };
  return with_dims(call, {joined(all.first(axis)), joined(all.subspan(axis))});
}

Outputs squeeze(const Call& call) {
  const Dims& old = call.in(0).dims;
  const std::optional<Dims> stated = call.list("axes", 1, 13);
  Dims dims;
  const std::vector<std::size_t> axes = axes_of(stated.value_or(Dims{}), old.size());
  for (std::size_t i = 0; i < old.size(); ++i) {
    const bool is_named = std::ranges::binary_search(axes, i);
    if (is_named && old[i] != 1) throw Unfolded{"a size that is not 1 is squeezed"};
    if (!(is_named || (!stated && old[i] == 1))) dims.push_back(old[i]);
  }
  return with_dims(call, std::move(dims));
}

Outputs unsqueeze(const Call& call) {
  Dims dims = call.in(0).dims;
  const Dims axes = call.list("axes", 1, 13).value_or(Dims{});
  for (const std::size_t axis : axes_of(axes, dims.size() + axes.size())) {
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  }
  return with_dims(call, std::move(dims));
}

Array transposed(const Call& call, const Array& x, const std::vector<std::size_t>& order) {
  const Places own = strides_of(x.dims);
  Dims dims;
  Places strides;
  for (const std::size_t axis : order) {
    dims.push_back(x.dims[axis]);
    strides.push_back(own[axis]);
  }
  return take(call, x, strided(call, dims, strides), dims);
}

Outputs transpose(const Call& call) {
  const Array& x = call.in(0);
  std::vector<std::size_t> order;
  if (const std::optional<Dims> stated = call.list("perm")) {
    if (axes_of(*stated, x.dims.size()).size() != x.dims.size())
      throw Unfolded{"attribute `perm` does not name all axes"};
    for (const std::int64_t axis : *stated) order.push_back(axis_of(axis, x.dims.size()));
  } else {
    for (std::size_t axis = x.dims.size(); axis-- > 0;) order.push_back(axis);
  }
  return one(transposed(call, x, order));
}

/// [N, C, H, W] as sizes that a block divides.
struct Image {
  std::int64_t batch, channels, height, width, block;
};
Image image(const Call& call) {
  const Dims& dims = call.in(0).dims;
  const std::int64_t block = call.integer("blocksize", 0);
  if (dims.size() != 4 || block <= 0) throw Unfolded{"it is not of rank 4, or has no block size"};
  return {dims[0], dims[1], dims[2], dims[3], block};
}

Outputs depth_to_space(const Call& call) {
  const auto [batch, channels, height, width, block] = image(call);
  const std::string_view mode = call.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") throw Unfolded{"attribute `mode` is not one that ONNX defines"};
  if (channels % block != 0 || channels / block % block != 0) throw Unfolded{"a block does not divide the channels"};
  const std::int64_t rest = channels / block / block;
  Array x = call.in(0);
  const bool is_depth_first = mode == "DCR";
  x.dims =
      is_depth_first ? Dims{batch, block, block, rest, height, width} : Dims{batch, rest, block, block, height, width};
  const std::vector<std::size_t> order =
      is_depth_first ? std::vector<std::size_t>{0, 3, 4, 1, 5, 2} : std::vector<std::size_t>{0, 1, 4, 2, 5, 3};
  Array made = transposed(call, x, order);
  made.dims = {batch, rest, height * block, width * block};
  return one(std::move(made));
}

Outputs space_to_depth(const Call& call) {
  const auto [batch, channels, height, width, block] = image(call);
  const std::string_view mode = call.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") throw Unfolded{"attribute `mode` is not one that ONNX defines"};
  if (height % block != 0 || width % block != 0) throw Unfolded{"a block does not divide height or width"};
  Array x = call.in(0);
  x.dims = {batch, channels, height / block, block, width / block, block};
  const std::vector<std::size_t> order =
      mode == "DCR" ? std::vector<std::size_t>{0, 3, 5, 1, 2, 4} : std::vector<std::size_t>{0, 1, 3, 5, 2, 4};
  Array made = transposed(call, x, order);
  made.dims = {batch, channels * block * block, height / block, width / block};
  return one(std::move(made));
}

constexpr Row kMovementRows[] = {
    {"DepthToSpace", depth_to_space}, {"Flatten", flatten}, {"Identity", identity},   {"Reshape", reshape},
    {"SpaceToDepth", space_to_depth}, {"Squeeze", squeeze}, {"Transpose", transpose}, {"Unsqueeze", unsqueeze},
};

}  // namespace

std::span<const Row> movement_rows() noexcept { return kMovementRows; }

}  // namespace trtcheck::fold
