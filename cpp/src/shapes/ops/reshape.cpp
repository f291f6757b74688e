// Reshape and Flatten: the number of elements stays.
#include <algorithm>

#include <fmt/core.h>

#include "dims/product.hpp"
#include "shapes/infer.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kKeeps = "Reshape keeps the number of elements";
constexpr std::string_view kDivides = "the -1 of Reshape needs a whole quotient";
constexpr std::string_view kTensorrt = "a -1 of Reshape next to sizes that are not fixed";
constexpr std::string_view kNotZero = "a size of 0 in a Reshape target would copy the input's";
constexpr std::string_view kComputedEntry = "the entry of the Reshape target is computed at run time";

/// One run over the target: what each entry says, and what is left to divide.
struct Plan {
  DimVector out;
  std::vector<Dim> numerator;           ///< input dims that no target entry cancels
  std::vector<Dim> denominator;         ///< target entries that no input dim cancels
  std::optional<std::size_t> inferred;  ///< index of the -1, or of the one entry that is not known
  bool is_minus_one = false;            ///< the inferred entry is a literal -1
  std::size_t unknowns = 0;             ///< entries (without the -1) that stay unknown
  bool may_be_empty = false;            ///< a size may be 0, and no condition is against it
  bool cancels_empty = false;           ///< a size that may be 0 stands on both sides
  bool is_wrong = false;
};

/// A size equals itself on both sides: for a -1 it cancels without having to be non-zero.
void cancel(OpContext& op, Plan& plan, Dim dim) {
  const auto found = std::find_if(plan.numerator.begin(), plan.numerator.end(), [&](Dim d) { return d.same(dim); });
  if (found == plan.numerator.end()) {
    plan.denominator.push_back(dim);
  } else {
    plan.numerator.erase(found);
    plan.cancels_empty = plan.cancels_empty || op.dims().bounds(dim).low <= 0;
  }
}

void take_literal(OpContext& op, Plan& plan, std::int64_t entry, std::size_t i, bool zero_copies) {
  if (entry == -1) {
    if (plan.is_minus_one) {
      op.conflict("the Reshape target has more than one -1", op.node().input(1));
      plan.is_wrong = true;
      plan.out[*plan.inferred] = op.unknown("the Reshape target is wrong", static_cast<std::int32_t>(*plan.inferred));
    }
    plan.inferred = i;
    plan.is_minus_one = true;
    plan.out.push_back(Dim{});
  } else if (entry == 0 && zero_copies) {
    if (op.has_rank(0) && i >= op.rank(0)) {
      op.conflict(fmt::format("entry {} of the Reshape target is 0 (copy), the input has {} axes only", i, op.rank(0)),
                  op.node().input(0));
      plan.is_wrong = true;
    }
    plan.out.push_back(op.has_rank(0) && i < op.rank(0)
                           ? op.dim(0, i)
                           : op.unknown("copied from an input of unknown rank", static_cast<std::int32_t>(i)));
    plan.may_be_empty = plan.may_be_empty || op.dims().bounds(plan.out.back()).low <= 0;
  } else if (entry < 0) {
    op.conflict(fmt::format("entry {} of the Reshape target is {}", i, entry), op.node().input(1));
    plan.is_wrong = true;
    plan.out.push_back(op.unknown(kComputedEntry, static_cast<std::int32_t>(i)));
  } else {
    plan.out.push_back(op.literal(entry));
    plan.may_be_empty = plan.may_be_empty || entry == 0;
  }
}

Plan read_target(OpContext& op, std::span<const Dim> target, bool zero_copies) {
  Plan plan;
  std::vector<bool> cancels(target.size(), true);
  std::optional<std::size_t> unknown_entry;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const Dim entry = target[i];
    if (entry.is_literal()) {
      take_literal(op, plan, entry.value(), i, zero_copies);
      cancels[i] = !entry.is(-1);
      continue;
    }
    // An entry that may be 0 copies, one that may be -1 infers: only from 1 on it states a size, unless copying
    // gives the same. No exporter means to copy by a size of 0: it is taken for a size under that condition.
    const std::int64_t low = op.dims().bounds(entry).low;
    const bool copies_itself = op.has_rank(0) && i < op.rank(0) && op.dim(0, i).same(entry);
    if (low >= 0) {
      const bool is_asked = zero_copies && !copies_itself;
      if (low == 0 && is_asked) (void)op.require_at_least(entry, op.literal(1), kNotZero);
      plan.may_be_empty = plan.may_be_empty || (low == 0 && !is_asked);
      plan.out.push_back(entry);
      continue;
    }
    plan.out.push_back(op.unknown(kComputedEntry, static_cast<std::int32_t>(i)));
    cancels[i] = false;
    unknown_entry = i;
    ++plan.unknowns;
  }
  if (!plan.is_minus_one && plan.unknowns == 1) plan.inferred = unknown_entry;
  if (op.has_rank(0)) plan.numerator.assign(op.in(0).dims.begin(), op.in(0).dims.end());
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (!cancels[i]) continue;
    // A 0 that was copied cancels with its origin, one that was asked for (allowzero) leaves a -1 without an answer.
    if (plan.out[i].is(0) && !zero_copies) {
      plan.denominator.push_back(plan.out[i]);
    } else {
      cancel(op, plan, plan.out[i]);
    }
  }
  return plan;
}

bool all_literals(std::span<const Dim> dims) {
  return std::all_of(dims.begin(), dims.end(), [](Dim dim) { return dim.is_literal(); });
}

/// TensorRT solves a -1 at build time only when every other size is a number.
bool only_literals(OpContext& op, const Plan& plan) {
  if (!op.has_rank(0) || !all_literals(op.in(0).dims)) return false;
  for (std::size_t i = 0; i < plan.out.size(); ++i) {
    if (i != *plan.inferred && !plan.out[i].is_literal()) return false;
  }
  return true;
}

void solve(OpContext& op, Plan& plan) {
  const std::size_t index = *plan.inferred;
  const auto axis = static_cast<std::int32_t>(index);
  if (op.as_tensorrt() && !only_literals(op, plan)) {
    plan.out[index] = op.unknown(kTensorrt, axis);
    return;
  }
  if (!op.has_rank(0)) {
    plan.out[index] = op.unknown("the rank of the Reshape input is not known", axis);
    return;
  }
  if (plan.is_minus_one && plan.unknowns > 0) {
    plan.out[index] = op.unknown("another entry of the Reshape target is computed at run time", axis);
    return;
  }
  if (!plan.is_minus_one && plan.may_be_empty) {
    plan.out[index] = op.unknown("any size fits beside a size of 0", axis);
    return;
  }
  const Dim total = product(op.dims(), plan.numerator);
  const Dim rest = product(op.dims(), plan.denominator);
  if (rest.is(0)) {
    op.conflict("a -1 in a Reshape target with a size of 0 has no answer", op.node().input(1));
    plan.out[index] = op.unknown("division by a size of 0", axis);
    return;
  }
  if (!op.require_divides(rest, total, kDivides)) {
    plan.out[index] = op.unknown("the number of elements does not fit", axis);
    return;
  }
  if (!only_literals(op, plan)) op.state().result.solved_reshape = true;
  // Runtimes refuse a -1 beside a size of 0: where there is an answer, the divisor is 1 or more.
  const bool may_be_zero = plan.is_minus_one && op.dims().bounds(rest).low == 0;
  plan.out[index] = op.dims().floor_div(total, may_be_zero ? op.dims().max(rest, op.literal(1)) : rest);
}

/// Compared after cancelling, which asks for less; told in full.
void keep_elements(OpContext& op, const Plan& plan) {
  const Dim rest = product(op.dims(), plan.numerator);
  const Dim wanted = product(op.dims(), plan.denominator);
  const Truth is_kept = op.dims().equal(rest, wanted);
  if (is_kept == Truth::yes) return;
  if (is_kept == Truth::unknown && !plan.cancels_empty) {
    (void)op.require_equal(rest, wanted, kKeeps);
    return;
  }
  // A size of 0 does not cancel: of none, any sizes beside another 0 can be made.
  const Dim made = product(op.dims(), plan.out);
  const Dim given = product(op.dims(), op.in(0).dims);
  const Truth fits = op.dims().equal(made, given);
  if (fits == Truth::unknown) (void)op.require_equal(made, given, kKeeps);
  if (fits != Truth::no) return;
  op.conflict(fmt::format("Reshape cannot make {} elements of {}", op.dims().text(made), op.dims().text(given)));
}

void reshape(OpContext& op, std::span<const Dim> target, bool zero_copies) {
  Plan plan = read_target(op, target, zero_copies);
  if (plan.is_wrong) {
    if (plan.inferred)
      plan.out[*plan.inferred] = op.unknown("the Reshape target is wrong", static_cast<std::int32_t>(*plan.inferred));
  } else if (plan.inferred) {
    solve(op, plan);
  } else if (op.has_rank(0) && plan.unknowns == 0) {
    keep_elements(op, plan);
  }
  op.set(0, op.type(0), plan.out);
  if (const auto contents = op.contents(0)) op.set_contents(0, *contents);
}

}  // namespace

void infer_reshape(OpContext& op) {
  const auto target = sizes_from(op, 1, kComputedEntry);
  if (!target) return op.set_type(0, op.type(0), "the Reshape target is computed at run time");
  DimVector entries = *target;
  // A target of which only the length is known: each entry may be anything.
  if (!op.known(1)) {
    for (Dim& entry : entries) entry = op.unknown_content(kComputedEntry);
  }
  reshape(op, entries, op.attr_int("allowzero", 0) == 0);
}

/// Before opset 5 the target is an attribute.
void infer_reshape_attribute(OpContext& op) {
  const auto shape = op.attr_ints("shape");
  if (!shape) return op.set_type(0, op.type(0), "the attribute `shape` is missing");
  DimVector target;
  for (const std::int64_t entry : *shape) target.push_back(op.literal(entry));
  reshape(op, target, true);
}

void infer_flatten(OpContext& op) {
  const std::int64_t given = op.attr_int("axis", 1);
  if (!op.has_rank(0)) {
    const DimVector dims = unknown_dims(op, 2, "the rank of the input is not known");
    return op.set(0, op.type(0), dims);
  }
  const auto rank = static_cast<std::int64_t>(op.rank(0));
  if (given < -rank || given > rank) {
    op.conflict(fmt::format("axis {} is outside of [{}, {}]", given, -rank, rank));
    return op.set(0, op.type(0), unknown_dims(op, 2, "the axis of Flatten is wrong"));
  }
  const auto axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
  op.set(0, op.type(0),
         {product(op.dims(), op.in(0).dims.first(axis)), product(op.dims(), op.in(0).dims.subspan(axis))});
}

}  // namespace trtcheck::shapes
