#include "cure/cures/writer.hpp"

#include <algorithm>
#include <utility>

#include "cure/numbers.hpp"

namespace trtcheck::cure {
namespace {

constexpr std::int64_t kAxesAsInput = 13;           // Squeeze, Unsqueeze, Split, ReduceSum
constexpr std::int64_t kAllReduceAxesAsInput = 18;  // the other reductions
constexpr std::int64_t kSliceByInputs = 10;

}  // namespace

Writer::Name Writer::reduce(std::string_view type, const Name& x, const Ints& axes, bool keepdims) {
  const std::int64_t since = type == "ReduceSum" ? kAxesAsInput : kAllReduceAxesAsInput;
  const Draft::Attributes kept = {{"keepdims", std::int64_t{keepdims ? 1 : 0}}};
  if (draft_->opset() >= since) return op(type, {x, draft_->ints_constant(axes, "axes")}, kept);
  return op(type, {x}, {{"axes", axes}, kept.front()});
}

Writer::Name Writer::unsqueeze(const Name& x, const Ints& axes) {
  if (draft_->opset() >= kAxesAsInput) return op("Unsqueeze", {x, draft_->ints_constant(axes, "axes")});
  return op("Unsqueeze", {x}, {{"axes", axes}});
}

Writer::Name Writer::squeeze(const Name& x, const Ints& axes) {
  if (draft_->opset() >= kAxesAsInput) return op("Squeeze", {x, draft_->ints_constant(axes, "axes")});
  return op("Squeeze", {x}, {{"axes", axes}});
}

Writer::Name Writer::slice(const Name& x, const Ints& starts, const Ints& ends, const Ints& axes) {
  if (draft_->opset() >= kSliceByInputs) {
    return op("Slice", {x, draft_->ints_constant(starts, "starts"), draft_->ints_constant(ends, "ends"),
                        draft_->ints_constant(axes, "axes")});
  }
  return op("Slice", {x}, {{"starts", starts}, {"ends", ends}, {"axes", axes}});
}

std::vector<Writer::Name> Writer::split(const Name& x, const Ints& sizes, std::int64_t axis) {
  if (draft_->opset() >= kAxesAsInput) {
    return draft_->ops("Split", {x, draft_->ints_constant(sizes, "sizes")}, {{"axis", axis}}, sizes.size());
  }
  return draft_->ops("Split", {x}, {{"split", sizes}, {"axis", axis}}, sizes.size());
}

Writer::Name Writer::reshape_like(const Name& x, ValueId like) {
  const std::optional<std::size_t> rank = draft_->rank(like);
  if (rank) {
    Ints sizes;
    std::size_t unknown = 0;
    bool has_zero = false;
    for (const Dim dim : draft_->shapes()[like].dims) {
      sizes.push_back(dim.is_literal() ? dim.value() : -1);
      unknown += dim.is_literal() ? 0U : 1U;
      has_zero = has_zero || sizes.back() == 0;
    }
    if (unknown <= 1 && !has_zero) return reshape(x, sizes);
  }
  return reshape_to(x, shape(std::string(draft_->model().value(like).name)));
}

Writer::Name Writer::size(ValueId value, std::size_t axis) {
  const Dim dim = draft_->shapes()[value].dims[axis];
  if (dim.is_literal()) return draft_->ints_constant({dim.value()}, "size");
  return gather(shape(std::string(draft_->model().value(value).name)),
                draft_->ints_constant({static_cast<std::int64_t>(axis)}, "axis"), 0);
}

Writer::Name Writer::places(ValueId value, std::size_t axis) {
  const Dim dim = draft_->shapes()[value].dims[axis];
  if (dim.is_literal()) return counting(dim.value());
  const Name size = gather(shape(std::string(draft_->model().value(value).name)),
                           draft_->int_constant(static_cast<std::int64_t>(axis), "axis"), 0);
  return op("Range", {draft_->int_constant(0), size, draft_->int_constant(1)});
}

Writer::Name Writer::counting(std::int64_t below) {
  constexpr std::int64_t kMostStored = 65536;
  if (below <= kMostStored) return draft_->ints_constant(counted(0, below), "places");
  return op("Range", {draft_->int_constant(0), draft_->int_constant(below), draft_->int_constant(1)});
}

Writer::Name Writer::numbers(const std::vector<double>& values, const Ints& dims, DataType type,
                             std::string_view base) {
  edit::TensorValue tensor{.type = type, .dims = dims, .bytes = {}};
  for (const double value : values) tensor.bytes += number_bytes(value, type);
  return draft_->constant(std::move(tensor), base);
}

Writer::Name Writer::from_the_front(const Name& indices, const Name& size, DataType type) {
  const Name in_type = type == DataType::int64 ? size : cast(size, type);
  return where(op("Less", {indices, draft_->scalar(0, type, "zero")}), add(indices, in_type), indices);
}

Writer::Ints counted(std::int64_t from, std::int64_t to) {
  Writer::Ints numbers;
  for (std::int64_t i = from; i < to; ++i) numbers.push_back(i);
  return numbers;
}

std::optional<std::size_t> plain_axis(std::int64_t axis, std::size_t rank) {
  const auto size = static_cast<std::int64_t>(rank);
  if (axis < 0) axis += size;
  if (axis < 0 || axis >= size) return std::nullopt;
  return static_cast<std::size_t>(axis);
}

bool is_float(DataType type) noexcept {
  return type == DataType::float32 || type == DataType::float64 || is_half(type);
}

bool is_integer(DataType type) noexcept { return type >= DataType::uint8 && type <= DataType::int64; }

bool is_half(DataType type) noexcept { return type == DataType::float16 || type == DataType::bfloat16; }

}  // namespace trtcheck::cure
