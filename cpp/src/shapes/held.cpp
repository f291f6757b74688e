#include "shapes/held.hpp"

#include <algorithm>
#include <memory>

#include "shapes/infer.hpp"
#include "shapes/shapes_impl.hpp"
#include "shapes/subgraph.hpp"

namespace trtcheck::shapes {
namespace {

using Kind = ValueShape::Kind;

const Elements* held_by(const ShapesAccess::Impl& data, ValueId id) {
  const auto found = data.elements.find(id.index);
  return found == data.elements.end() ? nullptr : &found->second;
}

/// Keeps the sizes that this tensor has, too.
void narrow(HeldType& out, const ValueShape& each, DimTable& table) {
  out.has_rank = out.has_rank && each.has_rank && each.dims.size() == out.dims.size();
  if (!out.has_rank) return out.dims.clear();
  for (std::size_t axis = 0; axis < out.dims.size(); ++axis) {
    std::optional<Dim>& dim = out.dims[axis];
    if (dim && table.equal(*dim, each.dims[axis]) != Truth::yes) dim.reset();
  }
}

void add_tensors(HeldType& out, const std::vector<ValueShape>& each, DimTable& table) {
  if (each.empty() || !each.front().has_rank) return;
  out.has_rank = true;
  for (const Dim dim : each.front().dims) out.dims.push_back(table.is_exact(dim) ? std::optional(dim) : std::nullopt);
  for (const ValueShape& other : each) narrow(out, other, table);
}

/// A sequence of this element type.
bool add_sequence(HeldType& out, DataType type, const Elements* held, DimTable& table) {
  out.holders.push_back(Kind::sequence);
  out.type = type;
  if (held == nullptr || held->each.empty()) return true;
  if (held->each.front().kind == Kind::map) {
    out.holders.push_back(Kind::map);
    out.key = held->each.front().type;
    out.has_rank = true;
    return true;
  }
  add_tensors(out, held->each, table);
  return true;
}

bool add_optional(HeldType& out, const Elements* held, DimTable& table) {
  out.holders.push_back(Kind::optional);
  if (held == nullptr) return false;
  const ValueShape& what = held->each.empty() ? held->otherwise : held->each.front();
  if (what.kind == Kind::sequence) return add_sequence(out, what.type, held->inner.get(), table);
  out.type = what.type;
  add_tensors(out, {what}, table);
  return what.kind == Kind::tensor;
}

/// What is true of all elements of both; nothing when that is nothing.
std::optional<ValueShape> common_of_all(OpContext& op, const Elements& a, const Elements& b, std::string_view reason) {
  std::optional<ValueShape> all;
  for (const Elements* held : {&a, &b}) {
    for (const ValueShape& each : held->each) all = all ? either(op, *all, each, reason) : each;
  }
  return all;
}

std::optional<Elements> common(OpContext& op, const Elements& a, const Elements& b, std::string_view reason) {
  Elements out;
  out.counted = a.counted && b.counted && a.each.size() == b.each.size();
  if (a.inner && b.inner) {
    if (std::optional<Elements> inner = common(op, *a.inner, *b.inner, reason)) {
      out.inner = std::make_shared<const Elements>(std::move(*inner));
    }
  }
  if (!out.counted) {
    const std::optional<ValueShape> all = common_of_all(op, a, b, reason);
    if (!all || all->kind == Kind::unknown) return std::nullopt;
    out.each.push_back(*all);
    return out;
  }
  for (std::size_t i = 0; i < a.each.size(); ++i) {
    out.each.push_back(either(op, a.each[i], b.each[i], reason));
    if (out.each.back().kind == Kind::unknown) return std::nullopt;
  }
  return out;
}

}  // namespace

std::optional<HeldType> held_type(const Shapes& shapes, ValueId id) {
  const ValueShape& shape = shapes[id];
  const Elements* held = held_by(ShapesAccess::data(shapes), id);
  HeldType out;
  if (shape.kind == Kind::sequence && add_sequence(out, shape.type, held, shapes.dims())) return out;
  if (shape.kind == Kind::optional && add_optional(out, held, shapes.dims())) return out;
  return std::nullopt;
}

void keep_common_elements(OpContext& op, ValueId a, ValueId b, ValueId to, std::string_view reason) {
  InferState& state = op.state();
  if (state.result.elements.empty() || !a || !b || !to) return;
  const Elements* first = held_by(state.result, a);
  const Elements* second = held_by(state.result, b);
  if (first == nullptr || second == nullptr) return;
  std::optional<Elements> both = common(op, *first, *second, reason);
  if (!both || both->each.size() > state.elements_left) return;
  state.elements_left -= both->each.size();
  state.result.elements.insert_or_assign(to.index, std::move(*both));
}

}  // namespace trtcheck::shapes
