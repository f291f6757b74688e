// Values that meet rows of a dynamic axis, and numbers that say which rows.
#include "sizing/trier.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/kinds.hpp"

namespace trtcheck::sizing {

void Trier::at_concat(NodeId id, const Node& node, std::vector<Change>& made) {
  const std::size_t rank = shape(node.input(0)).rank();
  std::int64_t joined = int_of(node, "axis", 0);
  if (joined < 0) joined += static_cast<std::int64_t>(rank);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (static_cast<std::int64_t>(axis) == joined) continue;
    const auto dim = dynamic_dim(node, axis);
    for (std::size_t i = 0; dim && i < node.inputs.size(); ++i) meet(id, node, i, axis, *dim, made);
  }
}

std::optional<Dim> Trier::dynamic_dim(const Node& node, std::size_t axis) const {
  for (const ValueId input : node.inputs) {
    const ValueShape& known = shape(input);
    if (axis < known.rank() && is_dynamic(known.dims[axis])) return known.dims[axis];
  }
  return std::nullopt;
}

void Trier::at_grid(NodeId id, const Node& node, std::vector<Change>& made) {
  if (shape(node.input(0)).rank() == 0) return;
  if (const Dim dim = shape(node.input(0)).dims[0]; is_dynamic(dim)) meet(id, node, 1, 0, dim, made);
}

void Trier::at_recurrent(NodeId id, const Node& node, std::vector<Change>& made) {
  const bool is_batch_first = int_of(node, "layout", 0) == 1;
  const std::size_t axis = is_batch_first ? 0 : 1;
  if (shape(node.input(0)).rank() != 3 || !is_dynamic(shape(node.input(0)).dims[axis])) return;
  const Dim dim = shape(node.input(0)).dims[axis];
  if (node.input(4)) meet(id, node, 4, 0, dim, made);
  for (const std::size_t state : {std::size_t{5}, std::size_t{6}}) {
    if (node.input(state)) meet(id, node, state, axis, dim, made);
  }
}

void Trier::meet(NodeId id, const Node& node, std::size_t input, std::size_t axis, Dim dim, std::vector<Change>& made) {
  const ValueId value = node.input(input);
  const ValueShape& known = shape(value);
  if (axis >= known.rank() || !known.dims[axis].is_literal() || !known.dims[axis].is(number_of(dim).value_or(-1)))
    return;
  const bool counts = is_a(node.op_type, kinds::recurrent) ? false : is_whole(known.type);
  Change change{.input = input, .kind = Change::Kind::spread};
  change.entries.assign(known.rank(), dims_->literal(1));
  change.entries[axis] = dim;
  if (counts) {
    return object(id, fmt::format("input {} `{}` holds whole numbers, which may count `{}`", input,
                                  model_->value(value).name, dims_->text(dim)));
  }
  if (!known.dims[axis].is(1)) {
    if (!has_equal_rows(value, axis)) {
      return object(id, fmt::format("input {} `{}` has {} entries on axis {}, which differ or are not known", input,
                                    model_->value(value).name, known.dims[axis].value(), axis));
    }
    change.narrowed_axis = axis;
  }
  const auto same = std::ranges::find(made, input, &Change::input);
  if (same == made.end()) {
    made.push_back(std::move(change));
  } else {
    same->entries[axis] = dim;
  }
}

bool Trier::is_whole(DataType type) {
  return type == DataType::int64 || type == DataType::int32 || type == DataType::uint8 || type == DataType::int8;
}

bool Trier::has_equal_rows(ValueId value, std::size_t axis) {
  const auto constant = folder_->value(value);
  if (!constant || axis >= constant->dims.size() || constant->bytes.empty()) return false;
  std::size_t block = constant->bytes.size();
  for (std::size_t i = 0; i <= axis; ++i) {
    if (i == axis) break;
    block /= static_cast<std::size_t>(constant->dims[i]);
  }
  const std::size_t row = block / static_cast<std::size_t>(constant->dims[axis]);
  if (row == 0 || block % row != 0) return false;
  for (std::size_t at = 0; at < constant->bytes.size(); at += row) {
    const std::size_t first = at / block * block;
    if (std::memcmp(&constant->bytes[at], &constant->bytes[first], row) != 0) return false;
  }
  return true;
}

void Trier::broadcast(const Node& node, std::vector<Change>& made) {
  if (node.inputs.size() < 2 || !is_broadcast(node)) return;
  for (std::size_t back = 1; back <= (*before_)[node.output(0)].rank(); ++back) {
    std::optional<Dim> dynamic;
    for (const ValueId input : node.inputs) {
      const ValueShape& known = shape(input);
      if (back <= known.rank() && is_dynamic(known.dims[known.rank() - back]))
        dynamic = known.dims[known.rank() - back];
    }
    for (std::size_t i = 0; dynamic && i < node.inputs.size(); ++i) narrow(node, i, back, *dynamic, made);
  }
}

void Trier::narrow(const Node& node, std::size_t input, std::size_t back, Dim dynamic, std::vector<Change>& made) {
  const ValueShape& known = shape(node.input(input));
  if (back > known.rank()) return;
  const std::size_t axis = known.rank() - back;
  const Dim dim = known.dims[axis];
  if (!dim.is_literal() || dim.is(1) || number_of(dynamic) != dim.value()) return;
  if (!has_equal_rows(node.input(input), axis)) return;
  Change change{.input = input, .kind = Change::Kind::spread};
  change.entries.assign(known.rank(), dims_->literal(1));
  change.narrowed_axis = axis;
  if (std::ranges::find(made, input, &Change::input) == made.end()) made.push_back(std::move(change));
}

bool Trier::is_broadcast(const Node& node) const {
  const auto out = sizes_before(node.output(0));
  if (!out) return false;
  Numbers made(out->size(), 1);
  for (const ValueId input : node.inputs) {
    const auto sizes = input ? sizes_before(input) : std::nullopt;
    if (!sizes || sizes->size() > made.size()) return false;
    for (std::size_t back = 1; back <= sizes->size(); ++back) {
      std::int64_t& size = made[made.size() - back];
      const std::int64_t other = (*sizes)[sizes->size() - back];
      if (size != 1 && other != 1 && size != other) return false;
      size = std::max(size, other);
    }
  }
  return made == *out;
}

void Trier::at_gather(NodeId id, const Node& node, std::vector<Change>& /*made*/) {
  const ValueShape& data = shape(node.input(0));
  std::int64_t axis = int_of(node, "axis", 0);
  if (axis < 0) axis += static_cast<std::int64_t>(data.rank());
  if (axis < 0 || axis >= static_cast<std::int64_t>(data.rank())) return;
  refuse_places(id, node, data.dims[static_cast<std::size_t>(axis)]);
}

void Trier::at_places(NodeId id, const Node& node, std::vector<Change>& /*made*/) {
  const ValueShape& data = shape(node.input(0));
  const ValueShape& indices = shape(node.input(1));
  if (indices.rank() == 0 || !indices.dims.back().is_literal()) return;
  const auto first = static_cast<std::size_t>(int_of(node, "batch_dims", 0));
  const auto count = static_cast<std::size_t>(indices.dims.back().value());
  for (std::size_t axis = first; axis < std::min(first + count, data.rank()); ++axis) {
    refuse_places(id, node, data.dims[axis]);
  }
}

void Trier::refuse_places(NodeId id, const Node& node, Dim dim) {
  if (!is_dynamic(dim) || (node.op_type == "Gather" && ints(node.input(1)))) return;
  object(id, fmt::format("computed numbers say which entries of `{}` it takes, and they may be made for {} of them",
                         dims_->text(dim), number_of(dim).value_or(0)));
}

}  // namespace trtcheck::sizing
