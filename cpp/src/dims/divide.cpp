// Floor division in one normal form, whatever the signs.
//
//   coefficients:  floor((c*x + r)/k) with c = q*k + s moves q*x out; s in (-k/2, k/2], constants in [0, k)
//   common factor: floor((g*y + c)/(g*k)) = floor((y + floor(c/g))/k)
//   sign:          floor(-y/k) = -floor((y + k - 1)/k), so that ceilings have one spelling
//   nesting:       floor((floor(x/m) + c)/k) = floor((x + c*m)/(m*k))
#include <algorithm>
#include <numeric>
#include <utility>

#include "dims/checked.hpp"
#include "dims/expressions.hpp"
#include "dims/interval.hpp"

namespace trtcheck::dims {

namespace {

constexpr int kDivisionSteps = 64;

struct Split {
  Terms quotient;
  Terms rest;
};

// p = k * quotient + rest, with the rest's coefficients in (-k/2, k/2] and its constant in [0, k).
Split split(std::span<const Term> p, std::int64_t k) {
  Split out;
  for (const Term& t : p) {
    std::int64_t quotient = int_floor_div(t.coefficient, k);
    std::int64_t rest = t.coefficient - quotient * k;
    if (t.monomial != 0 && rest > k - rest) {
      rest -= k;
      ++quotient;
    }
    out.quotient.append(t.monomial, quotient);
    out.rest.append(t.monomial, rest);
  }
  return out;
}

std::int64_t constant_of(std::span<const Term> p) noexcept {
  return !p.empty() && p.back().monomial == 0 ? p.back().coefficient : 0;
}

std::span<const Term> symbolic_part(std::span<const Term> p) noexcept {
  return !p.empty() && p.back().monomial == 0 ? p.first(p.size() - 1) : p;
}

std::int64_t common_factor(std::span<const Term> p, std::int64_t start) noexcept {
  for (const Term& t : p) start = std::gcd(start, t.coefficient);
  return start;
}

}  // namespace

Dim Expressions::floor_div(Dim a, Dim b) {
  if (b.is_literal()) {
    if (b.is(0)) return unknown({.reason = "division by zero"}, {});
    if (b.value() < 0) return floor_div(mul(a, DimAccess::of_literal(-1)), DimAccess::of_literal(-b.value()));
    if (a.is_literal()) return literal(int_floor_div(a.value(), b.value()));
    return divide_by_literal(a, b.value());
  }
  if (bounds(b).low < 1) return unknown({.reason = "division by a size that may be zero"}, {});
  return divide_by_symbolic(a, b);
}

Dim Expressions::divide_by_literal(Dim a, std::int64_t k) {
  if (k == 1) return a;
  const auto [quotient, rest] = split(polys_[DimAccess::id(a)].terms, k);
  const Dim whole = intern(quotient.view());
  const std::span<const Term> symbolic = symbolic_part(rest.view());
  if (symbolic.empty()) return whole;

  const std::int64_t g = common_factor(symbolic, k);
  Terms reduced;
  for (const Term& t : symbolic) reduced.append(t.monomial, int_floor_div(t.coefficient, g));
  reduced.append(0, int_floor_div(constant_of(rest.view()), g));
  k = int_floor_div(k, g);
  if (k == 1) return add(whole, intern(reduced.view()), 1);
  if (reduced.view().front().coefficient > 0) return add(whole, divide_rest(reduced.view(), k), 1);

  const Term one{0, 1};
  const Terms negated = combine(reduced.view(), -1, {&one, 1}, k - 1);
  const auto [extra, flipped] = split(negated.view(), k);
  const Dim opposite = add(intern(extra.view()), divide_rest(flipped.view(), k), 1);
  return add(whole, opposite, -1);
}

// floor(rest / k) of a rest in normal form: nested, decided by its bounds, or an atom.
Dim Expressions::divide_rest(std::span<const Term> rest, std::int64_t k) {
  const std::span<const Term> symbolic = symbolic_part(rest);
  if (symbolic.size() == 1 && symbolic.front().coefficient == 1) {
    if (const auto only = only_atom(symbolic.front().monomial)) {
      const Atom inner = atoms_[*only];
      if (inner.kind == Kind::floor_div && !inner.is_opaque && inner.b.is_literal()) {
        const auto divisor = checked_mul(inner.b.value(), k);
        const auto shift = checked_mul(inner.b.value(), constant_of(rest));
        if (divisor && shift && is_small(*divisor) && is_small(*shift)) {
          return floor_div(add(inner.a, DimAccess::of_literal(*shift), 1), DimAccess::of_literal(*divisor));
        }
      }
    }
  }
  const Dim dividend = intern(rest);
  const Interval range = floor_quotient(bounds(dividend), {k, k});
  if (range.low == range.high && is_small(range.low)) return DimAccess::of_literal(range.low);
  return atom(Kind::floor_div, dividend, DimAccess::of_literal(k), range);
}

Dim Expressions::divide_by_symbolic(Dim a, Dim b) {
  if (a.is(0)) return a;
  if (const auto quotient = exact_quotient(a, b)) return finish(*quotient, Kind::floor_div, a, b);
  if (const auto reduced = cancel_common(a, b)) return floor_div(reduced->first, reduced->second);
  const Interval range = floor_quotient(bounds(a), bounds(b));
  if (range.low == range.high && is_small(range.low)) return DimAccess::of_literal(range.low);
  return atom(Kind::floor_div, a, b, range);
}

// Polynomial long division; nothing when a rest remains.
std::optional<Terms> Expressions::exact_quotient(Dim a, Dim b) {
  Term slot;
  const std::span<const Term> dividend = terms(a, slot);
  const std::span<const Term> divisor = polys_[DimAccess::id(b)].terms;
  const Term lead = divisor.front();
  Terms rest = combine(dividend, 1, {}, 0);
  Terms quotient;
  for (int step = 0; step < kDivisionSteps; ++step) {
    if (rest.view().empty()) return quotient;
    const Term top = rest.view().front();
    if (int_mod(top.coefficient, lead.coefficient) != 0) return std::nullopt;
    const auto monomial_left = without(top.monomial, lead.monomial);
    if (!monomial_left) return std::nullopt;
    const Term factor{*monomial_left, int_floor_div(top.coefficient, lead.coefficient)};
    quotient.append(factor.monomial, factor.coefficient);
    const Terms part = shifted(divisor, factor);
    if (part.failed() || quotient.failed()) return std::nullopt;
    rest = combine(rest.view(), 1, part.view(), -1);
    if (rest.failed()) return std::nullopt;
  }
  return std::nullopt;
}

// a/b with a common integer and common atoms (that are at least 1) taken out; nothing when there are none.
std::optional<std::pair<Dim, Dim>> Expressions::cancel_common(Dim a, Dim b) {
  Term slot;
  const std::span<const Term> dividend = terms(a, slot);
  const std::span<const Term> divisor = polys_[DimAccess::id(b)].terms;
  const std::int64_t g = std::max<std::int64_t>(common_factor(divisor, common_factor(dividend, 0)), 1);

  std::array<Factor, kMaxDegree> shared;
  std::size_t count = 0;
  for (const Factor& f : monomials_[divisor.front().monomial].factors) {
    std::uint32_t exponent = f.exponent;
    const auto lower = [&](std::span<const Term> p) {
      for (const Term& t : p) {
        const auto& factors = monomials_[t.monomial].factors;
        const auto same = std::ranges::find(factors, f.atom, &Factor::atom);
        exponent = same == factors.end() ? 0 : std::min(exponent, same->exponent);
      }
    };
    lower(dividend);
    lower(divisor);
    if (exponent > 0 && atoms_[f.atom].range.low >= 1) shared[count++] = {f.atom, exponent};
  }
  if (g == 1 && count == 0) return std::nullopt;

  const std::uint32_t common = monomial({shared.data(), count});
  const auto reduced = [&](std::span<const Term> p) {
    Terms out;
    for (const Term& t : p) out.append(*without(t.monomial, common), int_floor_div(t.coefficient, g));
    return intern(out.view());
  };
  return std::pair{reduced(dividend), reduced(divisor)};
}

Truth Expressions::divides(Dim b, Dim a) {
  const auto answer = [](bool is_yes) { return is_yes ? Truth::yes : Truth::no; };
  if (a.is_literal() && b.is_literal()) {
    return answer(b.is(0) ? a.is(0) : int_mod(a.value(), b.value()) == 0);
  }
  const Interval divisor = bounds(b);
  const Interval dividend = bounds(a);
  if (divisor.low >= 1 && (a.is(0) || a.same(b))) return Truth::yes;
  if (divisor.low >= 1 && dividend.low >= 1 && dividend.high < divisor.low) return Truth::no;
  if (!b.is_literal()) {
    return divisor.low >= 1 && exact_quotient(a, b) ? Truth::yes : Truth::unknown;
  }
  if (b.is(0)) {
    const Truth is_zero = equal(a, b);
    return is_zero;
  }
  const std::int64_t k = b.value() < 0 ? -b.value() : b.value();
  const auto [quotient, rest] = split(polys_[DimAccess::id(a)].terms, k);
  if (rest.view().empty()) return Truth::yes;
  const std::int64_t g = common_factor(symbolic_part(rest.view()), k);
  if (int_mod(constant_of(rest.view()), g) != 0) return Truth::no;
  const Interval left = range_of(rest.view(), 4);
  return left.low >= 1 && left.high < k ? Truth::no : Truth::unknown;
}

}  // namespace trtcheck::dims
