// Arithmetic on terms and monomials, in one order.
#include <algorithm>

#include "dims/expressions.hpp"

namespace trtcheck::dims {

namespace {

bool is_multiplied_small(std::int64_t a, std::int64_t b, std::int64_t& out) noexcept {
  return !__builtin_mul_overflow(a, b, &out) && is_small(out);
}

}  // namespace

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

}  // namespace trtcheck::dims
