// Squeeze, Unsqueeze, Transpose: axes come, go and move.
#include <algorithm>

#include <fmt/core.h>

#include "shapes/infer.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kSqueeze = "Squeeze removes axes of size 1 only";

void hand_on_contents(OpContext& op) {
  if (const auto contents = op.contents(0)) op.set_contents(0, *contents);
}

/// The rank that the file claims for output 0; nothing when TensorRT is asked, which does not read claims.
std::optional<std::size_t> claimed_rank(OpContext& op) {
  const TypeId declared = op.as_tensorrt() ? TypeId{} : op.model().value(op.node().output(0)).declared;
  const Type& type = op.model().type(declared);
  return type.has_shape ? std::optional(type.dims.size()) : std::nullopt;
}

void squeeze_ones(OpContext& op) {
  DimVector larger;  // than 1 for certain
  DimVector kept;    // those that may be 1 as well
  for (const Dim dim : op.in(0).dims) {
    const Truth is_one = op.dims().equal(dim, op.literal(1));
    if (is_one == Truth::yes) continue;
    kept.push_back(dim);
    if (is_one == Truth::no) larger.push_back(dim);
  }
  if (kept.size() == larger.size()) {
    op.set(0, op.type(0), larger);
    return hand_on_contents(op);
  }
  // The claim decides whether the axes in doubt are there. Their sizes are those of the input, whatever it says.
  const auto rank = claimed_rank(op);
  if (rank != kept.size() && rank != larger.size()) {
    return op.set_type(0, op.type(0), "Squeeze without axes: a size may be 1 or not");
  }
  op.set(0, op.type(0), rank == kept.size() ? kept : larger);
  if (const ValueId output = op.node().output(0)) op.state().at(output).assumed = true;
}

/// Which axes go is not known, but all that go are 1: where no more sizes than that can be 1, those are the ones.
void squeeze_some(OpContext& op, const Axes& axes) {
  if (!axes.count || *axes.count > op.rank(0)) return op.set_type(0, op.type(0), kAxesUnknown);
  DimVector larger;
  for (const Dim dim : op.in(0).dims) {
    if (op.dims().equal(dim, op.literal(1)) == Truth::no) larger.push_back(dim);
  }
  const std::size_t left = op.rank(0) - *axes.count;
  if (*axes.count == 0) return squeeze_ones(op);
  op.set(0, op.type(0), larger.size() == left ? larger : unknown_dims(op, left, kAxesUnknown));
}

void squeeze(OpContext& op, const Axes& axes) {
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  if (!axes.given) return squeeze_ones(op);
  if (!axes.values) return squeeze_some(op, axes);
  // Exporters write an empty list for "all axes of size 1".
  if (axes.values->empty()) return squeeze_ones(op);
  const auto gone = axis_flags(op, *axes.values, op.rank(0));
  if (!gone) return op.set_type(0, op.type(0), "the axes are wrong");
  DimVector out;
  for (std::size_t axis = 0; axis < op.rank(0); ++axis) {
    if ((*gone)[axis]) {
      (void)op.require_equal(op.dim(0, axis), op.literal(1), kSqueeze);
    } else {
      out.push_back(op.dim(0, axis));
    }
  }
  op.set(0, op.type(0), out);
  hand_on_contents(op);
}

void unsqueeze(OpContext& op, const Axes& axes) {
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  if (!axes.count || op.rank(0) + *axes.count > 1024) return op.set_type(0, op.type(0), kAxesUnknown);
  const std::size_t rank = op.rank(0) + *axes.count;
  if (!axes.values) {
    const bool is_all_ones = std::ranges::all_of(op.in(0).dims, [](Dim dim) { return dim.is(1); });
    return op.set(0, op.type(0), is_all_ones ? DimVector(rank, op.literal(1)) : unknown_dims(op, rank, kAxesUnknown));
  }
  const auto is_new = axis_flags(op, *axes.values, rank);
  if (!is_new) return op.set_type(0, op.type(0), "the axes are wrong");
  DimVector out;
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < rank; ++axis) out.push_back((*is_new)[axis] ? op.literal(1) : op.dim(0, next++));
  op.set(0, op.type(0), out);
  hand_on_contents(op);
}

/// Contents of a transposed tensor; output axis i is input axis order[i].
void move_contents(OpContext& op, const std::vector<std::size_t>& order) {
  const auto contents = op.contents(0);
  if (!contents || contents->empty()) return;
  const auto dims = op.in(0).dims;
  std::vector<std::size_t> strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * static_cast<std::size_t>(dims[i].value());
  }
  DimVector out;
  std::vector<std::size_t> index(dims.size());
  for (std::size_t done = 0; done < contents->size(); ++done) {
    std::size_t from = 0;
    for (std::size_t i = 0; i < order.size(); ++i) from += index[i] * strides[order[i]];
    out.push_back((*contents)[from]);
    for (std::size_t i = order.size(); i-- > 0;) {
      if (++index[i] < static_cast<std::size_t>(dims[order[i]].value())) break;
      index[i] = 0;
    }
  }
  op.set_contents(0, out);
}

/// A perm of another length than the rank, as TensorRT reads it: entries behind the rank are overlooked, axes that
/// are not listed stay where they are. Nothing when that is no permutation.
std::optional<std::vector<std::int64_t>> fitted_perm(std::span<const std::int64_t> perm, std::size_t rank) {
  std::vector<std::int64_t> fitted(rank);
  std::vector<bool> seen(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const auto given = i < perm.size() ? perm[i] : static_cast<std::int64_t>(i);
    const std::int64_t axis = given < 0 ? given + static_cast<std::int64_t>(rank) : given;
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank) || seen[static_cast<std::size_t>(axis)])
      return std::nullopt;
    seen[static_cast<std::size_t>(axis)] = true;
    fitted[i] = axis;
  }
  return fitted;
}

}  // namespace

void infer_squeeze(OpContext& op) { squeeze(op, axes_of(op, 1, true)); }
void infer_squeeze_attribute(OpContext& op) { squeeze(op, axes_of(op, 1, false)); }
void infer_unsqueeze(OpContext& op) { unsqueeze(op, axes_of(op, 1, true)); }
void infer_unsqueeze_attribute(OpContext& op) { unsqueeze(op, axes_of(op, 1, false)); }

void infer_transpose(OpContext& op) {
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  const auto dims = op.in(0).dims;
  auto perm = op.attr_ints("perm");
  if (!perm) {
    const DimVector out(dims.rbegin(), dims.rend());
    std::vector<std::size_t> order(dims.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
    op.set(0, op.type(0), out);
    return move_contents(op, order);
  }
  std::optional<std::vector<std::int64_t>> fitted;
  if (perm->size() != dims.size()) {
    fitted = fitted_perm(*perm, dims.size());
    const std::string_view taken_as = perm->size() > dims.size() ? "the entries after the rank are ignored"
                                                                 : "the axes that are not listed stay where they are";
    op.onnx_forbids(fmt::format("perm has {} entries, the input has {} axes", perm->size(), dims.size()),
                    fitted ? taken_as : std::string_view{}, op.node().input(0));
    if (!fitted) return op.set_type(0, op.type(0), "the permutation does not fit the input");
    perm = *fitted;
  }
  const auto flags = axis_flags(op, *perm, dims.size());
  if (!flags) return op.set_type(0, op.type(0), "the permutation does not fit the input");
  DimVector out;
  const auto rank = static_cast<std::int64_t>(dims.size());
  std::vector<std::size_t> order;
  for (const std::int64_t axis : *perm) {
    order.push_back(static_cast<std::size_t>(axis < 0 ? axis + rank : axis));
    out.push_back(dims[order.back()]);
  }
  op.set(0, op.type(0), out);
  move_contents(op, order);
}

}  // namespace trtcheck::shapes
