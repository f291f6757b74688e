// Making dims: literals, symbols, unknowns, sums and products.
#include <algorithm>
#include <limits>

#include <trtcheck/dim.hpp>

#include "dims/checked.hpp"
#include "dims/expressions.hpp"
#include "dims/interval.hpp"

namespace trtcheck::dims {

namespace {

bool is_multiplied_small(std::int64_t a, std::int64_t b, std::int64_t& out) noexcept {
  return !__builtin_mul_overflow(a, b, &out) && is_small(out);
}

}  // namespace

Expressions::Expressions() { monomials_.push_back({}); }

Dim Expressions::literal(std::int64_t value) { return is_small(value) ? DimAccess::of_literal(value) : overflow(); }

Dim Expressions::symbol(std::string_view name, Interval range) {
  if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
  if (const auto wished = ranges_.find(name); wished != ranges_.end()) range = wished->second;
  if (range.low > range.high) range = {1, Interval::kMax};
  const std::string& kept = names_.emplace_back(name);
  Dim made;
  if (range.low == range.high && is_small(range.low)) {
    made = DimAccess::of_literal(range.low);
  } else {
    atoms_.push_back({.kind = Kind::symbol, .index = static_cast<std::uint32_t>(names_.size() - 1), .range = range});
    made = of_atom(static_cast<std::uint32_t>(atoms_.size() - 1));
  }
  by_name_.emplace(kept, made);
  return made;
}

Dim Expressions::unknown(Origin origin, Interval range) {
  if (range.low == range.high && is_small(range.low)) return DimAccess::of_literal(range.low);
  if (range.low > range.high) range = {};
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

std::span<const Term> Expressions::terms(Dim a, Term& literal_slot) const {
  if (!a.is_literal()) return polys_[DimAccess::id(a)].terms;
  literal_slot = {0, a.value()};
  return {&literal_slot, a.is(0) ? 0U : 1U};
}

// Graded lexicographic order: compatible with multiplication, which long division relies on.
int Expressions::compare(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return 0;
  const Monomial& left = monomials_[a];
  const Monomial& right = monomials_[b];
  if (left.degree != right.degree) return left.degree < right.degree ? -1 : 1;
  for (std::size_t i = 0; i < left.factors.size() && i < right.factors.size(); ++i) {
    const Factor l = left.factors[i];
    const Factor r = right.factors[i];
    if (l.atom != r.atom) return l.atom > r.atom ? -1 : 1;
    if (l.exponent != r.exponent) return l.exponent < r.exponent ? -1 : 1;
  }
  return 0;
}

std::uint32_t Expressions::monomial(std::span<const Factor> factors) {
  std::uint64_t hash = factors.size();
  std::uint32_t degree = 0;
  for (const Factor& f : factors) {
    hash = mix(mix(hash, f.atom), f.exponent);
    degree += f.exponent;
  }
  const std::uint32_t known =
      monomial_index_.find(hash, [&](std::uint32_t id) { return std::ranges::equal(monomials_[id].factors, factors); });
  if (known != HashIndex::kNone) return known;
  if (factors.empty()) return 0;
  monomials_.push_back({factor_arena_.keep(factors), degree});
  const auto id = static_cast<std::uint32_t>(monomials_.size() - 1);
  monomial_index_.insert(hash, id);
  return id;
}

std::optional<std::uint32_t> Expressions::times(std::uint32_t a, std::uint32_t b) {
  if (a == 0) return b;
  if (b == 0) return a;
  const Monomial left = monomials_[a];
  const Monomial right = monomials_[b];
  if (left.degree + right.degree > kMaxDegree) return std::nullopt;
  std::array<Factor, kMaxDegree> merged;
  std::size_t count = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < left.factors.size() || j < right.factors.size()) {
    if (j == right.factors.size() || (i < left.factors.size() && left.factors[i].atom < right.factors[j].atom)) {
      merged[count++] = left.factors[i++];
    } else if (i == left.factors.size() || right.factors[j].atom < left.factors[i].atom) {
      merged[count++] = right.factors[j++];
    } else {
      merged[count++] = {left.factors[i].atom, left.factors[i].exponent + right.factors[j].exponent};
      ++i;
      ++j;
    }
  }
  return monomial({merged.data(), count});
}

std::optional<std::uint32_t> Expressions::without(std::uint32_t a, std::uint32_t divisor) {
  if (divisor == 0) return a;
  const Monomial from = monomials_[a];
  const Monomial take = monomials_[divisor];
  std::array<Factor, kMaxDegree> left;
  std::size_t count = 0;
  std::size_t j = 0;
  for (const Factor& f : from.factors) {
    std::uint32_t exponent = f.exponent;
    if (j < take.factors.size() && take.factors[j].atom == f.atom) {
      if (take.factors[j].exponent > exponent) return std::nullopt;
      exponent -= take.factors[j].exponent;
      ++j;
    }
    if (exponent != 0) left[count++] = {f.atom, exponent};
  }
  if (j != take.factors.size()) return std::nullopt;
  return monomial({left.data(), count});
}

Terms Expressions::combine(std::span<const Term> a, std::int64_t scale, std::span<const Term> b,
                           std::int64_t factor) const {
  Terms out;
  std::size_t i = 0;
  std::size_t j = 0;
  while ((i < a.size() || j < b.size()) && !out.failed()) {
    int order = 1;
    if (i == a.size()) {
      order = -1;
    } else if (j < b.size()) {
      order = compare(a[i].monomial, b[j].monomial);
    }
    std::int64_t left = 0;
    std::int64_t right = 0;
    if (order >= 0) out.overflowed |= !is_multiplied_small(a[i].coefficient, scale, left);
    if (order <= 0) out.overflowed |= !is_multiplied_small(b[j].coefficient, factor, right);
    if (out.overflowed) break;
    out.append(order >= 0 ? a[i].monomial : b[j].monomial, left + right);
    if (order >= 0) ++i;
    if (order <= 0) ++j;
  }
  return out;
}

Terms Expressions::shifted(std::span<const Term> a, Term factor) {
  Terms out;
  for (const Term& t : a) {
    const auto id = times(t.monomial, factor.monomial);
    std::int64_t coefficient = 0;
    if (!is_multiplied_small(t.coefficient, factor.coefficient, coefficient)) out.overflowed = true;
    if (!id) out.capped = true;
    if (out.failed()) break;
    out.append(*id, coefficient);
  }
  return out;
}

Dim Expressions::finish(const Terms& made, Kind kind, Dim a, Dim b) {
  if (made.overflowed) return overflow();
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
  std::uint64_t hash = sorted.size();
  for (const Term& t : sorted) hash = mix(mix(hash, t.monomial), static_cast<std::uint64_t>(t.coefficient));
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

namespace trtcheck {

struct DimTable::Impl : dims::Expressions {};

DimTable::DimTable() : impl_(std::make_unique<Impl>()) {}
DimTable::DimTable(DimTable&&) noexcept = default;
DimTable& DimTable::operator=(DimTable&&) noexcept = default;
DimTable::~DimTable() = default;

Dim DimTable::literal(std::int64_t value) { return impl_->literal(value); }
Dim DimTable::symbol(std::string_view name, Interval range) { return impl_->symbol(name, range); }
Dim DimTable::unknown(Origin origin, Interval range) { return impl_->unknown(origin, range); }
void DimTable::set_range(std::string_view name, Interval range) { impl_->set_range(name, range); }

// Two literals never touch the table: sums of two values within +-2^61 cannot overflow 64 bits.
Dim DimTable::add(Dim a, Dim b) {
  if (a.is_literal() && b.is_literal()) return impl_->literal(a.value() + b.value());
  return impl_->add(a, b, 1);
}

Dim DimTable::sub(Dim a, Dim b) {
  if (a.is_literal() && b.is_literal()) return impl_->literal(a.value() - b.value());
  return impl_->add(a, b, -1);
}

Dim DimTable::mul(Dim a, Dim b) {
  if (a.is_literal() && b.is_literal()) {
    const auto value = checked_mul(a.value(), b.value());
    return impl_->literal(value.value_or(Interval::kMax));
  }
  return impl_->mul(a, b);
}

Dim DimTable::floor_div(Dim a, Dim b) {
  if (a.is_literal() && b.is_literal() && b.value() != 0) return impl_->literal(int_floor_div(a.value(), b.value()));
  return impl_->floor_div(a, b);
}

Dim DimTable::ceil_div(Dim a, Dim b) {
  if (a.is_literal() && b.is_literal() && b.value() != 0) return impl_->literal(int_ceil_div(a.value(), b.value()));
  const Dim one = DimAccess::of_literal(1);
  const bool is_negative = b.is_literal() && b.value() < 0;
  return floor_div(is_negative ? add(add(a, b), one) : sub(add(a, b), one), b);
}

Dim DimTable::mod(Dim a, Dim b) {
  if (a.is_literal() && b.is_literal() && b.value() != 0) return impl_->literal(int_mod(a.value(), b.value()));
  if (b.is(0)) return floor_div(a, b);
  return sub(a, mul(b, floor_div(a, b)));
}

Dim DimTable::min(Dim a, Dim b) {
  if (a.is_literal() && b.is_literal()) return a.value() < b.value() ? a : b;
  return impl_->select(dims::Kind::min, a, b);
}

Dim DimTable::max(Dim a, Dim b) {
  if (a.is_literal() && b.is_literal()) return a.value() > b.value() ? a : b;
  return impl_->select(dims::Kind::max, a, b);
}

std::optional<Dim> DimTable::broadcast(Dim a, Dim b) { return impl_->broadcast(a, b); }
Truth DimTable::equal(Dim a, Dim b) { return impl_->equal(a, b); }
Truth DimTable::less_equal(Dim a, Dim b) { return impl_->less_equal(a, b); }
Truth DimTable::divides(Dim b, Dim a) { return impl_->divides(b, a); }
Interval DimTable::bounds(Dim a) const { return impl_->bounds(a); }
std::string DimTable::text(Dim a) const { return impl_->text(a); }
std::optional<std::int64_t> DimTable::evaluate(Dim a, std::span<const Binding> bindings) const {
  return impl_->evaluate(a, bindings);
}
std::vector<Origin> DimTable::origins(Dim a) const { return impl_->origins(a); }
std::vector<std::string_view> DimTable::symbols(Dim a) const { return impl_->symbols(a); }
bool DimTable::is_exact(Dim a) const { return impl_->is_exact(a); }

}  // namespace trtcheck
