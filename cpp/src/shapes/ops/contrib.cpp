#include "shapes/ops/contrib.hpp"

#include <algorithm>
#include <vector>

#include "shapes/subgraph.hpp"

namespace trtcheck::shapes {

namespace {

DimVector channels_to_front(std::span<const Dim> dims) {
  DimVector out(dims.begin(), dims.end());
  if (out.size() > 2) std::rotate(out.begin() + 1, out.end() - 1, out.end());
  return out;
}

DimVector channels_to_back(std::span<const Dim> dims) {
  DimVector out(dims.begin(), dims.end());
  if (out.size() > 2) std::rotate(out.begin() + 1, out.begin() + 2, out.end());
  return out;
}

}  // namespace

void set_dims_of(OpContext& op, std::size_t output, std::size_t input, DataType type) {
  if (op.has_rank(input)) return op.set(output, type, op.in(input).dims);
  op.set_type(output, type, {});
}

void set_with_last(OpContext& op, std::size_t output, std::size_t input, DataType type, Dim last) {
  if (!op.has_rank(input)) return op.set_type(output, type, {});
  DimVector out(op.in(input).dims.begin(), op.in(input).dims.end());
  if (out.empty()) return op.set_type(output, type, "an input without axes");
  out.back() = last;
  op.set(output, type, out);
}

void set_broadcast_of(OpContext& op, DataType type, std::initializer_list<std::size_t> inputs) {
  std::vector<std::span<const Dim>> shapes;
  for (const std::size_t input : inputs) {
    if (!op.has_rank(input)) return op.set_type(0, type, {});
    shapes.push_back(op.in(input).dims);
  }
  const auto dims = op.broadcast(shapes);
  if (!dims) return op.set_type(0, type, "the inputs do not broadcast");
  op.set(0, type, *dims);
}

Dim dim_or_unknown(OpContext& op, std::size_t input, std::size_t rank, std::size_t axis, std::int32_t to) {
  if (op.has_rank(input) && op.rank(input) == rank) return op.dim(input, axis);
  return op.unknown("the rank of an input is not known, or not the one that is required", to);
}

std::optional<Dim> size_attribute(OpContext& op, std::string_view name) {
  const std::int64_t value = op.attr_int(name, 0);
  return value > 0 ? std::optional(op.literal(value)) : std::nullopt;
}

std::optional<Dim> number_in(OpContext& op, std::size_t input) {
  const auto known = op.known(input);
  return known && known->size() == 1 ? std::optional(known->front()) : std::nullopt;
}

void infer_channels_last(OpContext& op, void (*infer)(OpContext&)) {
  const ValueId id = op.node().input(0);
  if (!op.has_rank(0)) return infer(op);
  InferState& state = op.state();
  const ValueShape kept = state.at(id);
  // What is recorded on the way speaks of other axes.
  const Mark before = mark(state);
  state.at(id).dims = state.result.arena.copy(channels_to_front(kept.dims));
  infer(op);
  forget_since(state, before);
  state.at(id) = kept;
  for (const ValueId output : op.node().outputs) {
    if (!output || !state.at(output).has_rank) continue;
    state.at(output).dims = state.result.arena.copy(channels_to_back(state.at(output).dims));
  }
}

}  // namespace trtcheck::shapes
