// min, max and broadcast: decided by bounds where possible, an atom with ordered operands otherwise.
#include <algorithm>
#include <utility>

#include "dims/expressions.hpp"
#include "dims/interval.hpp"

namespace trtcheck::dims {

namespace {

bool can_be(Interval range, std::int64_t value) noexcept { return range.low <= value && value <= range.high; }

}  // namespace

Dim Expressions::select(Kind kind, Dim a, Dim b) {
  if (a.same(b)) return a;
  const Interval difference = bounds_of_difference(a, b);
  if (difference.high <= 0) return kind == Kind::min ? a : b;
  if (difference.low >= 0) return kind == Kind::min ? b : a;
  if (DimAccess::bits(b) < DimAccess::bits(a)) std::swap(a, b);
  const Interval left = bounds(a);
  const Interval right = bounds(b);
  return atom(kind, a, b, kind == Kind::min ? minimum(left, right) : maximum(left, right));
}

// Depth is bounded by kMaxDepth.
bool Expressions::has_joined(Dim whole, Dim part) const {
  if (whole.same(part)) return true;
  if (const Atom* const inner = sole_atom(part); inner != nullptr && inner->kind == Kind::broadcast) {
    return has_joined(whole, inner->a) && has_joined(whole, inner->b);
  }
  const Atom* const outer = sole_atom(whole);
  return outer != nullptr && outer->kind == Kind::broadcast &&
         (has_joined(outer->a, part) || has_joined(outer->b, part));
}

// min(k, b) with k of 1 or more.
bool Expressions::is_one_with(Dim a, Dim b) {
  const Atom* const atom = sole_atom(a);
  if (atom == nullptr || atom->kind != Kind::min) return false;
  const auto [first, second] = std::pair(atom->a, atom->b);
  return (first.same(b) && bounds(second).low >= 1) || (second.same(b) && bounds(first).low >= 1);
}

// max(k, b) against b, which as a size is not negative: up to 0, both are the same; with 1, they differ where b is 0
// and the other is repeated as often.
std::optional<Dim> Expressions::broadcast_raised(Dim a, Dim b) const {
  const Atom* const atom = sole_atom(a);
  if (atom == nullptr || atom->kind != Kind::max) return std::nullopt;
  const Dim other = atom->a.same(b) ? atom->b : atom->a;
  if (!(atom->a.same(b) || atom->b.same(b)) || !other.is_literal() || other.value() > 1) return std::nullopt;
  return other.value() == 1 ? b : a;
}

// Given that broadcasting succeeds, an operand that cannot be 1 is the result, and so is one with which the other is 1.
std::optional<Dim> Expressions::broadcast(Dim a, Dim b) {
  if (a.is(1) || a.same(b)) return b;
  if (b.is(1)) return a;
  if (a.is_literal() && b.is_literal()) return std::nullopt;
  if (has_joined(a, b) || is_one_with(b, a)) return a;
  if (has_joined(b, a) || is_one_with(a, b)) return b;
  if (const auto known = broadcast_raised(a, b)) return known;
  if (const auto known = broadcast_raised(b, a)) return known;
  if (DimAccess::bits(b) < DimAccess::bits(a)) std::swap(a, b);
  if (b.is_literal()) std::swap(a, b);
  const Interval left = bounds(a);
  const Interval right = bounds(b);
  const bool is_left = !can_be(left, 1);
  const bool is_right = !can_be(right, 1);
  if (is_left && is_right && equal(a, b) == Truth::no) return std::nullopt;
  if (is_left) return a;
  if (is_right) return b;
  const bool is_positive = left.low >= 1 && right.low >= 1;
  return atom(Kind::broadcast, a, b, is_positive ? maximum(left, right) : hull(left, right));
}

}  // namespace trtcheck::dims
