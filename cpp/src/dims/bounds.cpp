// What is known of a value without knowing its symbols.
//
// Plain interval arithmetic forgets that `H` and `floor(H/2)` move together. So the outermost floor, min, max
// or broadcast that occurs linearly is taken apart first: k*floor(p/k) = p - [0, k-1], and min(a, b) is a or b.
#include <algorithm>
#include <numeric>

#include "dims/checked.hpp"
#include "dims/expressions.hpp"
#include "dims/interval.hpp"

namespace trtcheck::dims {

namespace {

constexpr int kBudget = 12;
constexpr std::size_t kNone = ~std::size_t{0};

}  // namespace

Interval Expressions::plain_range(std::span<const Term> p) const {
  Interval out{0, 0};
  for (const Term& t : p) {
    Interval part{t.coefficient, t.coefficient};
    for (const Factor& f : monomials_[t.monomial].factors) {
      part = product(part, power(atoms_[f.atom].range, f.exponent));
    }
    out = sum(out, part);
  }
  return out;
}

std::size_t Expressions::outermost_reducible(std::span<const Term> p) const {
  std::size_t best = kNone;
  std::uint32_t best_atom = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto id = only_atom(p[i].monomial);
    if (!id || (best != kNone && *id < best_atom)) continue;
    const Atom& a = atoms_[*id];
    const bool is_compound = a.kind != Kind::symbol && a.kind != Kind::unknown && !a.is_opaque;
    if (!is_compound || (a.kind == Kind::floor_div && !a.b.is_literal())) continue;
    best = i;
    best_atom = *id;
  }
  return best;
}

Interval Expressions::range_of(std::span<const Term> p, int budget) const {
  const Interval plain = plain_range(p);
  if (budget == 0) return plain;
  const std::size_t i = outermost_reducible(p);
  if (i == kNone) return plain;
  const Atom& a = atoms_[*only_atom(p[i].monomial)];
  const Interval finer =
      a.kind == Kind::floor_div ? range_without_floor(p, i, budget - 1) : range_by_cases(p, i, budget >> 1);
  return intersection(plain, finer);
}

// k*(r + c*floor(x/k)) = k*r + c*x - c*[0, k-1]
Interval Expressions::range_without_floor(std::span<const Term> p, std::size_t i, int budget) const {
  const Atom& a = atoms_[*only_atom(p[i].monomial)];
  const std::int64_t c = p[i].coefficient;
  const std::int64_t k = a.b.value();
  Terms rest;
  for (std::size_t j = 0; j < p.size(); ++j) {
    if (j != i) rest.append(p[j].monomial, p[j].coefficient);
  }
  Term slot;
  const Terms whole = combine(rest.view(), k, terms(a.a, slot), c);
  if (rest.failed() || whole.failed()) return {};
  const Interval lost = scaled({-(k - 1), 0}, c);
  return divided_inwards(sum(range_of(whole.view(), budget), lost), k);
}

// Whatever min, max and broadcast select is one of their operands.
Interval Expressions::range_by_cases(std::span<const Term> p, std::size_t i, int budget) const {
  const Atom& a = atoms_[*only_atom(p[i].monomial)];
  const std::int64_t c = p[i].coefficient;
  Terms rest;
  for (std::size_t j = 0; j < p.size(); ++j) {
    if (j != i) rest.append(p[j].monomial, p[j].coefficient);
  }
  Term slot;
  const Terms with_a = combine(rest.view(), 1, terms(a.a, slot), c);
  const Interval left = with_a.failed() ? Interval{} : range_of(with_a.view(), budget);
  const Terms with_b = combine(rest.view(), 1, terms(a.b, slot), c);
  const Interval right = with_b.failed() ? Interval{} : range_of(with_b.view(), budget);
  if (rest.failed()) return {};
  if (a.kind == Kind::broadcast) return hull(left, right);
  return (a.kind == Kind::min) == (c > 0) ? minimum(left, right) : maximum(left, right);
}

Interval Expressions::bounds(Dim a) {
  if (a.is_literal()) return {a.value(), a.value()};
  Poly& poly = polys_[DimAccess::id(a)];
  if (!poly.is_refined) {
    const Interval found = range_of(poly.terms, kBudget);
    poly.range = poly.is_narrowed ? intersection(found, poly.range) : found;
    poly.is_refined = true;
  }
  return poly.range;
}

Interval Expressions::apart_at_least(Dim a, Dim b) { return sum(bounds(a), scaled(bounds(b), -1)); }

Interval Expressions::bounds_of_difference(Dim a, Dim b) {
  Term slot_a;
  Term slot_b;
  const Terms difference = combine(terms(a, slot_a), 1, terms(b, slot_b), -1);
  const Interval apart = apart_at_least(a, b);
  if (difference.failed()) return apart;
  const Interval found = intersection(apart, range_of(difference.view(), kBudget));
  return has_narrowed_ ? intersection(found, narrowed(difference.view())) : found;
}

Truth Expressions::equal(Dim a, Dim b) {
  if (a.same(b)) return Truth::yes;
  if (a.is_literal() && b.is_literal()) return Truth::no;
  const Interval apart = apart_at_least(a, b);
  if (apart.low > 0 || apart.high < 0) return Truth::no;
  const Interval range = bounds_of_difference(a, b);
  if (range.low > 0 || range.high < 0) return Truth::no;
  if (range.low == 0 && range.high == 0) return Truth::yes;

  // All atoms are integers: 2*N and 2*M + 1 never meet.
  Term slot_a;
  Term slot_b;
  const Terms difference = combine(terms(a, slot_a), 1, terms(b, slot_b), -1);
  if (difference.failed()) return Truth::unknown;
  std::int64_t g = 0;
  std::int64_t constant = 0;
  for (const Term& t : difference.view()) {
    if (t.monomial == 0)
      constant = t.coefficient;
    else
      g = std::gcd(g, t.coefficient);
  }
  if (g > 1 && int_mod(constant, g) != 0) return Truth::no;

  // N*L = 7*N where N is at least 1: L = 7.
  if (a.is_literal() || b.is_literal()) return Truth::unknown;
  const auto reduced = cancel_common(a, b);
  return reduced ? equal(reduced->first, reduced->second) : Truth::unknown;
}

Truth Expressions::less_equal(Dim a, Dim b) {
  if (a.same(b)) return Truth::yes;
  if (a.is_literal() && b.is_literal()) return a.value() <= b.value() ? Truth::yes : Truth::no;
  // What the two bounds settle needs no polynomial.
  const Interval apart = apart_at_least(a, b);
  if (apart.high <= 0) return Truth::yes;
  if (apart.low > 0) return Truth::no;
  const Interval range = bounds_of_difference(a, b);
  if (range.high <= 0) return Truth::yes;
  return range.low > 0 ? Truth::no : Truth::unknown;
}

}  // namespace trtcheck::dims
