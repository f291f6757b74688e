// What is known of names beyond their ranges: limits, multiples, meanings, and ranges of expressions.
#include <algorithm>
#include <numeric>

#include "dims/checked.hpp"
#include "dims/expressions.hpp"
#include "dims/interval.hpp"

namespace trtcheck::dims {

void Expressions::limit(std::string_view name, Interval range) {
  Interval& known = assumed_[std::string(name)].limit;
  known = {std::max(known.low, range.low), std::min(known.high, range.high)};
}

void Expressions::set_multiple(std::string_view name, std::int64_t factor) {
  std::int64_t& unit = assumed_[std::string(name)].unit;
  const auto both = checked_mul(int_floor_div(unit, std::gcd(unit, factor)), factor);
  // What does not fit is left out: less is known then.
  if (both && is_small(*both)) unit = *both;
}

void Expressions::define(std::string_view name, Dim meaning) {
  const auto known = by_name_.find(name);
  if (known != by_name_.end()) {
    known->second = meaning;
    return;
  }
  by_name_.emplace(names_.emplace_back(name), meaning);
}

void Expressions::narrow(Dim a, Interval range) {
  if (a.is_literal()) return;
  Poly& poly = polys_[DimAccess::id(a)];
  poly.range = intersection(bounds(a), range);
  poly.is_narrowed = true;
  has_narrowed_ = true;
}

Interval Expressions::narrowed(std::span<const Term> p) const {
  const auto known = [&](std::span<const Term> terms) -> Interval {
    const std::uint32_t id = poly_index_.find(
        hash_of(terms), [&](std::uint32_t each) { return std::ranges::equal(polys_[each].terms, terms); });
    return id != HashIndex::kNone && polys_[id].is_narrowed ? polys_[id].range : Interval{};
  };
  const Terms opposite = combine(p, -1, {}, 0);
  return opposite.failed() ? known(p) : intersection(known(p), scaled(known(opposite.view()), -1));
}

std::optional<std::uint32_t> Expressions::atom_of(std::string_view name) const {
  const auto known = by_name_.find(name);
  if (known == by_name_.end() || known->second.is_literal()) return std::nullopt;
  const std::span<const Term> all = polys_[DimAccess::id(known->second)].terms;
  if (all.size() != 1 || all.front().coefficient != 1) return std::nullopt;
  const auto atom = only_atom(all.front().monomial);
  return atom && atoms_[*atom].kind == Kind::symbol && names_[atoms_[*atom].index] == name ? atom : std::nullopt;
}

std::optional<Dim> Expressions::solved_for(std::string_view name, Dim zero) {
  const auto atom = atom_of(name);
  if (!atom || zero.is_literal()) return std::nullopt;
  std::int64_t factor = 0;
  Terms rest;
  for (const Term& t : polys_[DimAccess::id(zero)].terms) {
    if (only_atom(t.monomial) == atom) {
      factor = t.coefficient;
    } else {
      rest.append(t.monomial, t.coefficient);
    }
  }
  if ((factor != 1 && factor != -1) || rest.failed()) return std::nullopt;
  const Dim others = mul(intern(rest.view()), DimAccess::of_literal(-factor));
  const std::vector<std::uint32_t> inside = atoms_inside(others);
  return std::ranges::binary_search(inside, *atom) ? std::nullopt : std::optional(others);
}

// Depth is bounded by kMaxDepth; opaque atoms are left as they are.
Dim Expressions::replaced(Dim in, std::string_view name, Dim by) {
  const auto atom = atom_of(name);
  const std::vector<std::uint32_t> inside = atoms_inside(in);
  if (!atom || !std::ranges::binary_search(inside, *atom)) return in;
  const auto of_one = [&](std::uint32_t id) {
    if (id == *atom) return by;
    const Atom each = atoms_[id];
    const bool is_leaf = each.kind == Kind::symbol || each.kind == Kind::unknown || each.is_opaque;
    if (is_leaf) return of_atom(id);
    const Dim a = replaced(each.a, name, by);
    const Dim b = replaced(each.b, name, by);
    if (each.kind == Kind::floor_div) return floor_div(a, b);
    if (each.kind == Kind::broadcast) return broadcast(a, b).value_or(of_atom(id));
    return select(each.kind, a, b);
  };
  const std::vector<Term> all(polys_[DimAccess::id(in)].terms.begin(), polys_[DimAccess::id(in)].terms.end());
  Dim out{};
  for (const Term& t : all) {
    Dim part = literal(t.coefficient);
    const std::vector<Factor> factors(monomials_[t.monomial].factors.begin(), monomials_[t.monomial].factors.end());
    for (const Factor& f : factors) {
      const Dim each = of_one(f.atom);
      for (std::uint32_t i = 0; i < f.exponent; ++i) part = mul(part, each);
    }
    out = add(out, part, 1);
  }
  return out;
}

std::optional<DimTable::Linear> Expressions::linear(Dim a) const {
  if (a.is_literal()) return std::nullopt;
  const std::span<const Term> all = polys_[DimAccess::id(a)].terms;
  const auto atom = only_atom(all.front().monomial);
  if (!atom || atoms_[*atom].kind != Kind::symbol || all.size() > 2) return std::nullopt;
  if (all.size() == 2 && all.back().monomial != 0) return std::nullopt;
  const Atom& symbol = atoms_[*atom];
  if (int_mod(all.front().coefficient, symbol.unit) != 0) return std::nullopt;
  return DimTable::Linear{names_[symbol.index], int_floor_div(all.front().coefficient, symbol.unit),
                          all.size() == 2 ? all.back().coefficient : 0};
}

}  // namespace trtcheck::dims
