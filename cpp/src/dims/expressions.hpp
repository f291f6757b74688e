// The inside of DimTable: hash-consed polynomials over atoms. For the files of dims/ only.
//
// Invariants: an expression is normalised when it is made and never changes; operands have smaller ids than
// the atom made of them, so walking atoms by id visits operands first and needs no recursion.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <trtcheck/dim.hpp>

#include "dims/intern.hpp"

namespace trtcheck {

/// The one door through which dims are made from bits.
struct DimAccess {
  static constexpr Dim of_literal(std::int64_t value) noexcept { return Dim(value * 2); }
  static constexpr Dim of_id(std::uint32_t id) noexcept { return Dim(static_cast<std::int64_t>(id) * 2 + 1); }
  static constexpr std::uint32_t id(Dim dim) noexcept { return static_cast<std::uint32_t>(dim.bits_ >> 1); }
  static constexpr std::int64_t bits(Dim dim) noexcept { return dim.bits_; }
};

namespace dims {

/// Literals and coefficients stay within +-kLimit; what would leave becomes an unknown.
inline constexpr std::int64_t kLimit = std::int64_t{1} << 61;
inline constexpr std::size_t kMaxTerms = 32;
inline constexpr std::uint32_t kMaxDegree = 8;
inline constexpr std::uint32_t kMaxDepth = 8;

constexpr bool is_small(std::int64_t value) noexcept { return value >= -kLimit && value <= kLimit; }

/// `add` and `mul` occur only past a growth cap, when the sum or product is kept as one atom.
enum class Kind : std::uint8_t { symbol, unknown, floor_div, min, max, broadcast, add, mul };

struct Atom {
  Kind kind = Kind::symbol;
  bool is_opaque = false;   ///< beyond a growth cap: no rule looks inside
  bool is_exact = true;     ///< no unknown inside
  std::uint32_t depth = 0;  ///< nesting; symbols, unknowns and opaque atoms have 0
  std::uint32_t index = 0;  ///< symbol: name; unknown: origin; opaque: number in print
  Dim a{};
  Dim b{};
  Interval range{};
  std::int64_t unit = 1;  ///< symbol: the atom is the size of that name divided by this, which it is a multiple of
};

struct Factor {
  std::uint32_t atom;
  std::uint32_t exponent;
  friend constexpr bool operator==(const Factor&, const Factor&) = default;
};

struct Monomial {
  std::span<const Factor> factors{};  ///< by atom id
  std::uint32_t degree = 0;
};

/// Monomial 0 is the empty one: the constant term.
struct Term {
  std::uint32_t monomial;
  std::int64_t coefficient;
  friend constexpr bool operator==(const Term&, const Term&) = default;
};

[[nodiscard]] inline std::uint64_t hash_of(std::span<const Term> sorted) noexcept {
  std::uint64_t hash = sorted.size();
  for (const Term& t : sorted) hash = mix(mix(hash, t.monomial), static_cast<std::uint64_t>(t.coefficient));
  return hash;
}

struct Poly {
  std::span<const Term> terms{};  ///< leading first: degree, then lexicographic by atom id
  std::uint32_t depth = 0;
  bool is_exact = true;
  bool is_refined = false;
  bool is_narrowed = false;  ///< by `narrow`: more is known of it than its atoms say
  Interval range;
};

/// What is known of a name before it is used.
struct Assumed {
  Interval limit{};
  std::int64_t unit = 1;
};

/// A polynomial under construction, on the stack. After a failure its terms mean nothing.
class Terms {
 public:
  bool overflowed = false;  ///< a coefficient left +-kLimit
  bool capped = false;      ///< too many terms or too high a degree

  [[nodiscard]] bool failed() const noexcept { return overflowed || capped; }
  [[nodiscard]] std::span<const Term> view() const noexcept { return {items_.data(), count_}; }
  [[nodiscard]] std::span<Term> view() noexcept { return {items_.data(), count_}; }
  /// @pre sorts behind everything in here. A zero is dropped.
  void append(std::uint32_t monomial, std::int64_t coefficient) noexcept {
    if (coefficient == 0) return;
    if (!is_small(coefficient)) overflowed = true;
    if (count_ == items_.size()) {
      capped = true;
      return;
    }
    items_[count_++] = {monomial, coefficient};
  }

 private:
  std::array<Term, 2 * kMaxTerms> items_;
  std::size_t count_ = 0;
};

class Expressions {
 public:
  Expressions();

  // table.cpp
  Dim literal(std::int64_t value);
  Dim symbol(std::string_view name, Interval range);
  Dim unknown(Origin origin, Interval range);
  void set_range(std::string_view name, Interval range);

  // assume.cpp
  void limit(std::string_view name, Interval range);
  void set_multiple(std::string_view name, std::int64_t factor);
  void define(std::string_view name, Dim meaning);
  void narrow(Dim a, Interval range);
  std::optional<Dim> solved_for(std::string_view name, Dim zero);
  Dim replaced(Dim in, std::string_view name, Dim by);
  [[nodiscard]] std::optional<DimTable::Linear> linear(Dim a) const;

  Dim add(Dim a, Dim b, std::int64_t factor_of_b);
  Dim mul(Dim a, Dim b);

  // select.cpp
  /// Whether `whole` joins all that `part` joins by broadcasting.
  [[nodiscard]] bool has_joined(Dim whole, Dim part) const;
  /// Whether `a` is 1 wherever `b` is.
  bool is_one_with(Dim a, Dim b);
  /// What broadcasting gives where `a` is `b` or a number; nothing otherwise.
  [[nodiscard]] std::optional<Dim> broadcast_raised(Dim a, Dim b) const;
  Dim select(Kind kind, Dim a, Dim b);
  std::optional<Dim> broadcast(Dim a, Dim b);

  // divide.cpp
  Dim floor_div(Dim a, Dim b);
  Truth divides(Dim b, Dim a);

  // bounds.cpp
  Interval bounds(Dim a);
  /// From the bounds of both alone.
  [[nodiscard]] Interval apart_at_least(Dim a, Dim b);
  Interval bounds_of_difference(Dim a, Dim b);
  Truth equal(Dim a, Dim b);
  Truth less_equal(Dim a, Dim b);

  // print.cpp, evaluate.cpp
  [[nodiscard]] std::string text(Dim a, const std::map<std::uint32_t, std::string>& unknowns) const;
  [[nodiscard]] std::optional<std::int64_t> evaluate(Dim a, std::span<const DimTable::Binding> bindings) const;
  [[nodiscard]] std::vector<Origin> origins(Dim a) const;
  [[nodiscard]] std::vector<std::string_view> symbols(Dim a) const;
  [[nodiscard]] bool is_exact(Dim a) const { return a.is_literal() || polys_[DimAccess::id(a)].is_exact; }

 private:
  friend class Printer;

  // polynomial.cpp
  [[nodiscard]] std::span<const Term> terms(Dim a, Term& literal_slot) const;
  [[nodiscard]] std::uint32_t depth(Dim a) const { return a.is_literal() ? 0 : polys_[DimAccess::id(a)].depth; }
  [[nodiscard]] int compare(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t monomial(std::span<const Factor> factors);
  /// Nothing when the degree cap is passed.
  std::optional<std::uint32_t> times(std::uint32_t a, std::uint32_t b);
  std::optional<std::uint32_t> without(std::uint32_t a, std::uint32_t divisor);
  /// scale * a + factor * b
  [[nodiscard]] Terms combine(std::span<const Term> a, std::int64_t scale, std::span<const Term> b,
                              std::int64_t factor) const;
  Terms shifted(std::span<const Term> a, Term factor);

  // table.cpp
  /// The interned dim, an unknown after an overflow, or past a cap the opaque atom `kind(a, b)`.
  Dim finish(const Terms& made, Kind kind, Dim a, Dim b);
  Dim intern(std::span<const Term> sorted);
  Dim of_atom(std::uint32_t atom);
  Dim atom(Kind kind, Dim a, Dim b, Interval range, bool force_opaque = false);
  /// What left +-kLimit, of which this much is known.
  Dim overflow(Interval range) { return unknown({.reason = "the size does not fit in 61 bits"}, range); }

  // divide.cpp
  Dim divide_by_literal(Dim a, std::int64_t k);
  Dim divide_by_symbolic(Dim a, Dim b);
  Dim divide_rest(std::span<const Term> rest, std::int64_t k);
  std::optional<Terms> exact_quotient(Dim a, Dim b);
  std::optional<std::pair<Dim, Dim>> cancel_common(Dim a, Dim b);

  // bounds.cpp
  [[nodiscard]] Interval plain_range(std::span<const Term> p) const;
  [[nodiscard]] Interval range_of(std::span<const Term> p, int budget) const;
  [[nodiscard]] std::size_t outermost_reducible(std::span<const Term> p) const;
  [[nodiscard]] Interval range_without_floor(std::span<const Term> p, std::size_t i, int budget) const;
  [[nodiscard]] Interval range_by_cases(std::span<const Term> p, std::size_t i, int budget) const;

  // evaluate.cpp
  [[nodiscard]] std::vector<std::uint32_t> atoms_inside(Dim a) const;

  // assume.cpp
  Dim made_symbol(Interval range, Assumed assumed);
  /// What `narrow` said of an expression, or of its opposite; no bounds when it said nothing.
  [[nodiscard]] Interval narrowed(std::span<const Term> p) const;
  /// The atom that the name is, alone and undivided.
  [[nodiscard]] std::optional<std::uint32_t> atom_of(std::string_view name) const;

  /// The atom of a monomial that is one atom to the first power; nothing otherwise.
  [[nodiscard]] std::optional<std::uint32_t> only_atom(std::uint32_t id) const {
    const Monomial& m = monomials_[id];
    if (m.factors.size() != 1 || m.degree != 1) return std::nullopt;
    return m.factors.front().atom;
  }

  /// The atom that a dim is, alone and once; nothing otherwise.
  [[nodiscard]] const Atom* sole_atom(Dim a) const {
    if (a.is_literal()) return nullptr;
    const std::span<const Term> all = polys_[DimAccess::id(a)].terms;
    if (all.size() != 1 || all.front().coefficient != 1) return nullptr;
    const auto atom = only_atom(all.front().monomial);
    return atom && !atoms_[*atom].is_opaque ? &atoms_[*atom] : nullptr;
  }

  std::vector<Atom> atoms_;
  std::vector<Monomial> monomials_;
  std::vector<Poly> polys_;
  Arena<Factor> factor_arena_;
  Arena<Term> term_arena_;
  HashIndex atom_index_;
  HashIndex monomial_index_;
  HashIndex poly_index_;
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, Dim> by_name_;
  std::map<std::string, Interval, std::less<>> ranges_;
  std::map<std::string, Assumed, std::less<>> assumed_;
  bool has_narrowed_ = false;
  std::vector<Origin> origins_;
  std::uint32_t opaque_count_ = 0;
};

}  // namespace dims
}  // namespace trtcheck
