// Reductions, arguments of extremes, TopK.
#include <algorithm>

#include "shapes/known_values.hpp"
#include "shapes/ops/arithmetic.hpp"
#include "shapes/ops/float_arithmetic.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

DimVector without(OpContext& op, const std::vector<bool>& reduced, bool keep) {
  DimVector out;
  for (std::size_t axis = 0; axis < op.rank(0); ++axis) {
    if (!reduced[axis]) {
      out.push_back(op.dim(0, axis));
    } else if (keep) {
      out.push_back(op.literal(1));
    }
  }
  return out;
}

std::string_view fold_of(std::string_view reduction) {
  if (reduction == "ReduceSum") return "Add";
  if (reduction == "ReduceProd") return "Mul";
  if (reduction == "ReduceMax") return "Max";
  return reduction == "ReduceMin" ? "Min" : std::string_view{};
}

/// A vector of sizes reduced to one number.
void reduce_contents(OpContext& op) {
  const std::string_view fold = fold_of(op.node().op_type);
  if (fold.empty() || !op.in(0).is_known || op.rank(0) != 1 || op.in(0).known.empty()) return;
  const auto known = op.in(0).known;
  const DataType type = op.type(0);
  DimVector total{known.front()};
  for (std::size_t i = 1; i < known.size(); ++i) {
    auto next = is_float(type) ? combine_floats(op, float_binary(fold), type, total, known.subspan(i, 1))
                               : combine(op, binary_content(fold), total, known.subspan(i, 1));
    if (!next) return;
    total = std::move(*next);
  }
  op.set_known(0, total);
}

/// Which axes go is not known: each size is the input's or 1. As many axes as there are are all of them, none are none
/// or all, and of sizes that are alike it is all the same which ones go.
void reduce_unknown(OpContext& op, const Axes& axes, bool keep) {
  const std::size_t rank = op.rank(0);
  if (axes.count == rank && rank > 0) return op.set(0, op.type(0), without(op, std::vector<bool>(rank, true), keep));
  if (keep) {
    DimVector out;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const Dim dim = op.dim(0, axis);
      out.push_back(dim.is(1) ? dim
                              : op.unknown(kAxesUnknown, static_cast<std::int32_t>(axis),
                                           {std::min<std::int64_t>(op.dims().bounds(dim).low, 1),
                                            std::max<std::int64_t>(op.dims().bounds(dim).high, 1)}));
    }
    return op.set(0, op.type(0), out);
  }
  if (!axes.count || *axes.count > rank) return op.set_type(0, op.type(0), kAxesUnknown);
  const std::size_t left = rank - *axes.count;
  const auto dims = op.in(0).dims;
  const bool are_alike = std::ranges::all_of(dims, [&](Dim dim) { return dim.same(dims.front()); });
  op.set(0, op.type(0),
         are_alike ? DimVector(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(left))
                   : unknown_dims(op, left, kAxesUnknown));
}

/// Axes that sizes tell have to be there as well.
void require_axes(OpContext& op) {
  constexpr std::string_view kExists = "the reduced axis exists";
  const auto rank = static_cast<std::int64_t>(op.rank(0));
  const auto computed = op.known(1);
  if (!computed || rank == 0) return;
  for (const Dim axis : *computed) {
    if (!op.dims().is_exact(axis)) continue;
    (void)op.require_at_least(op.literal(rank - 1), axis, kExists);
    (void)op.require_at_least(axis, op.literal(-rank), kExists);
  }
}

void reduce(OpContext& op, bool axes_from_input) {
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  const bool keep = op.attr_int("keepdims", 1) != 0;
  const Axes axes = axes_of(op, 1, axes_from_input);
  if (axes.given && !axes.values && axes.count != 0) {
    require_axes(op);
    return reduce_unknown(op, axes, keep);
  }
  if (!axes.values || axes.values->empty()) {
    if (axes_from_input && op.attr_int("noop_with_empty_axes", 0) != 0) {
      return op.set_like(0, 0);
    }
    op.set(0, op.type(0), without(op, std::vector<bool>(op.rank(0), true), keep));
    return reduce_contents(op);
  }
  const auto reduced = axis_flags(op, *axes.values, op.rank(0), "the axis is reduced once");
  if (!reduced) return op.set_type(0, op.type(0), "the axes are wrong");
  op.set(0, op.type(0), without(op, *reduced, keep));
  reduce_contents(op);
}

}  // namespace

void infer_reduce(OpContext& op) { reduce(op, true); }
void infer_reduce_attribute(OpContext& op) { reduce(op, false); }

void infer_arg_extreme(OpContext& op) {
  if (!op.has_rank(0)) return op.set_type(0, DataType::int64, {});
  const auto axis = op.axis(op.attr_int("axis", 0), op.rank(0));
  if (!axis) return op.set_type(0, DataType::int64, "the axis is wrong");
  std::vector<bool> reduced(op.rank(0));
  reduced[*axis] = true;
  op.set(0, DataType::int64, without(op, reduced, op.attr_int("keepdims", 1) != 0));
}

/// TopK: k is an attribute before opset 10, an input from then on.
void infer_top_k(OpContext& op) {
  const auto give_up = [&](std::string_view reason) {
    op.set_type(0, op.type(0), reason);
    op.set_type(1, DataType::int64, reason);
  };
  if (!op.has_rank(0)) return give_up({});
  const auto axis = op.axis(op.attr_int("axis", -1), op.rank(0));
  if (!axis) return give_up("the axis is wrong");
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  const Dim size = out[*axis];
  if (op.opset() < 10) {
    out[*axis] = op.literal(op.attr_int("k", 0));
    (void)op.require_at_least(size, out[*axis], "TopK selects no more elements than there are");
  } else {
    const auto k = op.known(1);
    const bool is_size = k && k->size() == 1 && op.dims().bounds(k->front()).low >= 0;
    out[*axis] = is_size ? k->front()
                         : op.unknown("k is computed at run time", static_cast<std::int32_t>(*axis),
                                      {0, op.dims().bounds(size).high});
    if (is_size) (void)op.require_at_least(size, out[*axis], "TopK selects no more elements than there are");
  }
  op.set(0, op.type(0), out);
  op.set(1, DataType::int64, out);
}

}  // namespace trtcheck::shapes
