// Making dims: literals, symbols, unknowns, sums and products.
#include <algorithm>
#include <tuple>

#include <trtcheck/dim.hpp>

#include "dims/expressions.hpp"
#include "dims/interval.hpp"

namespace trtcheck::dims {

Expressions::Expressions() { monomials_.push_back({}); }

Dim Expressions::literal(std::int64_t value) {
  if (is_small(value)) return DimAccess::of_literal(value);
  return overflow(value > 0 ? Interval{kLimit, Interval::kMax} : Interval{Interval::kMin, -kLimit});
}

Dim Expressions::symbol(std::string_view name, Interval range) {
  if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
  if (const auto wished = ranges_.find(name); wished != ranges_.end()) range = wished->second;
  if (range.low > range.high) range = {1, Interval::kMax};
  const auto assumed = assumed_.find(name);
  const std::string& kept = names_.emplace_back(name);
  const Dim made = made_symbol(range, assumed == assumed_.end() ? Assumed{} : assumed->second);
  by_name_.emplace(kept, made);
  return made;
}

// The name was put last among the names.
Dim Expressions::made_symbol(Interval range, Assumed assumed) {
  range = intersection(range, assumed.limit);
  Interval parts = divided_inwards(range, assumed.unit);
  // No multiple lies in the range: what cannot be proves nothing.
  if (parts.low > parts.high) std::tie(parts, assumed.unit) = std::pair(range, 1);
  if (parts.low == parts.high && is_small(parts.low)) return literal(parts.low * assumed.unit);
  atoms_.push_back({.kind = Kind::symbol,
                    .index = static_cast<std::uint32_t>(names_.size() - 1),
                    .range = parts,
                    .unit = assumed.unit});
  return mul(of_atom(static_cast<std::uint32_t>(atoms_.size() - 1)), DimAccess::of_literal(assumed.unit));
}

Dim Expressions::unknown(Origin origin, Interval range) {
  if (range.low == range.high && is_small(range.low)) return DimAccess::of_literal(range.low);
  if (range.low > range.high) range = {};
  origin.number = static_cast<std::uint32_t>(origins_.size());
  origin.range = range;
  origins_.push_back(origin);
  atoms_.push_back({.kind = Kind::unknown,
                    .is_exact = false,
                    .index = static_cast<std::uint32_t>(origins_.size() - 1),
                    .range = range});
  return of_atom(static_cast<std::uint32_t>(atoms_.size() - 1));
}

void Expressions::set_range(std::string_view name, Interval range) {
  ranges_.insert_or_assign(std::string(name), range);
}

Dim Expressions::add(Dim a, Dim b, std::int64_t factor_of_b) {
  if (a.is(0) && factor_of_b == 1) return b;
  if (b.is(0)) return a;
  Term slot_a;
  Term slot_b;
  const Terms out = combine(terms(a, slot_a), 1, terms(b, slot_b), factor_of_b);
  const bool is_too_long = out.capped || out.view().size() > kMaxTerms;
  if (is_too_long && factor_of_b == -1) return add(a, mul(b, DimAccess::of_literal(-1)), 1);
  return finish(out, Kind::add, a, b);
}

Dim Expressions::mul(Dim a, Dim b) {
  if (a.is(0) || b.is(0)) return {};
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  Term slot_a;
  Term slot_b;
  std::span<const Term> left = terms(a, slot_a);
  std::span<const Term> right = terms(b, slot_b);
  if (left.size() < right.size()) std::swap(left, right);
  Terms out;
  for (const Term& factor : right) {
    const Terms part = shifted(left, factor);
    out.overflowed |= part.overflowed;
    out.capped |= part.capped;
    if (out.failed()) break;
    out = combine(out.view(), 1, part.view(), 1);
    if (out.failed()) break;
  }
  return finish(out, Kind::mul, a, b);
}

Dim Expressions::finish(const Terms& made, Kind kind, Dim a, Dim b) {
  if (made.overflowed) return overflow(kind == Kind::mul ? product(bounds(a), bounds(b)) : Interval{});
  if (!made.capped && made.view().size() <= kMaxTerms) return intern(made.view());
  if (kind != Kind::floor_div && DimAccess::bits(b) < DimAccess::bits(a)) std::swap(a, b);
  const Interval left = bounds(a);
  const Interval right = bounds(b);
  const Interval range = kind == Kind::add   ? dims::sum(left, right)
                         : kind == Kind::mul ? product(left, right)
                                             : floor_quotient(left, right);
  return atom(kind, a, b, range, true);
}

Dim Expressions::intern(std::span<const Term> sorted) {
  if (sorted.empty()) return {};
  if (sorted.size() == 1 && sorted.front().monomial == 0) return literal(sorted.front().coefficient);
  const std::uint64_t hash = hash_of(sorted);
  const std::uint32_t known =
      poly_index_.find(hash, [&](std::uint32_t id) { return std::ranges::equal(polys_[id].terms, sorted); });
  if (known != HashIndex::kNone) return DimAccess::of_id(known);

  Poly made{.terms = term_arena_.keep(sorted), .range = plain_range(sorted)};
  for (const Term& t : sorted) {
    for (const Factor& f : monomials_[t.monomial].factors) {
      made.depth = std::max(made.depth, atoms_[f.atom].depth);
      made.is_exact = made.is_exact && atoms_[f.atom].is_exact;
    }
  }
  polys_.push_back(made);
  const auto id = static_cast<std::uint32_t>(polys_.size() - 1);
  poly_index_.insert(hash, id);
  return DimAccess::of_id(id);
}

Dim Expressions::of_atom(std::uint32_t atom) {
  const Factor factor{atom, 1};
  const Term term{monomial({&factor, 1}), 1};
  return intern({&term, 1});
}

Dim Expressions::atom(Kind kind, Dim a, Dim b, Interval range, bool force_opaque) {
  const auto bits = [](Dim d) { return static_cast<std::uint64_t>(DimAccess::bits(d)); };
  const std::uint64_t hash = mix(mix(static_cast<std::uint64_t>(kind), bits(a)), bits(b));
  const std::uint32_t known = atom_index_.find(hash, [&](std::uint32_t id) {
    const Atom& other = atoms_[id];
    return other.kind == kind && other.a.same(a) && other.b.same(b);
  });
  if (known != HashIndex::kNone) return of_atom(known);

  Atom made{.kind = kind, .is_exact = is_exact(a) && is_exact(b), .a = a, .b = b, .range = range};
  made.depth = 1 + std::max(depth(a), depth(b));
  if (force_opaque || made.depth > kMaxDepth) {
    made.is_opaque = true;
    made.depth = 0;
    made.index = ++opaque_count_;
  }
  atoms_.push_back(made);
  const auto id = static_cast<std::uint32_t>(atoms_.size() - 1);
  atom_index_.insert(hash, id);
  return of_atom(id);
}

}  // namespace trtcheck::dims
