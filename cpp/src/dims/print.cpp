// "2*floor((H + 1)/2) - H": by degree, positive terms first, then by name; the constant last.
#include <algorithm>
#include <numeric>

#include "dims/checked.hpp"
#include "dims/expressions.hpp"
#include "text/printable.hpp"

namespace trtcheck::dims {

namespace {

// Atoms of many terms that hold atoms of many terms would print as terabytes.
constexpr int kMaxTermsPrinted = 200;

}  // namespace

class Printer {
 public:
  Printer(const Expressions& table, const std::map<std::uint32_t, std::string>& unknowns)
      : table_(table), unknowns_(unknowns) {}

  // Nesting is at most kMaxDepth: deeper atoms are opaque and print as a number.
  std::string dim(Dim d, std::int64_t scale = 1) {
    if (d.is_literal()) return std::to_string(d.value() * scale);
    std::vector<Piece> pieces;
    for (const Term& t : table_.polys_[DimAccess::id(d)].terms) {
      if (--terms_left_ < 0) return "...";
      std::int64_t coefficient = t.coefficient * scale;
      std::string factors = product(t.monomial, coefficient);
      pieces.push_back({table_.monomials_[t.monomial].degree, coefficient, std::move(factors)});
    }
    std::ranges::sort(pieces, [](const Piece& l, const Piece& r) {
      if (l.degree != r.degree) return l.degree > r.degree;
      if ((l.coefficient > 0) != (r.coefficient > 0)) return l.coefficient > 0;
      return l.text < r.text;
    });
    std::string out;
    for (const Piece& piece : pieces) append(out, piece);
    return out;
  }

 private:
  struct Piece {
    std::uint32_t degree;
    std::int64_t coefficient;
    std::string text;
  };

  static void append(std::string& out, const Piece& piece) {
    const bool is_negative = piece.coefficient < 0;
    if (!out.empty())
      out += is_negative ? " - " : " + ";
    else if (is_negative)
      out += "-";
    const std::int64_t size = is_negative ? -piece.coefficient : piece.coefficient;
    if (piece.degree == 0) {
      out += std::to_string(size);
      return;
    }
    if (size != 1) out += std::to_string(size) + "*";
    out += piece.text;
  }

  /// What a symbol was divided by is taken from the coefficient: 8*(S/8) is S.
  std::string product(std::uint32_t monomial, std::int64_t& coefficient) {
    std::vector<std::string> parts;
    for (const Factor& f : table_.monomials_[monomial].factors) {
      const Atom& each = table_.atoms_[f.atom];
      for (std::uint32_t i = 0; i < f.exponent; ++i) {
        // c*(S/u) is (c/g)*(S/(u/g)), and S is a multiple of u.
        const std::int64_t shared = std::gcd(coefficient, each.unit);
        const std::int64_t left = int_floor_div(each.unit, shared);
        coefficient = int_floor_div(coefficient, shared);
        parts.push_back(left == 1 ? atom(each) : "floor(" + atom(each) + "/" + std::to_string(left) + ")");
      }
    }
    std::ranges::sort(parts);
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : "*") + part;
    return out;
  }

  std::string atom(const Atom& a) {
    if (a.kind == Kind::symbol) return shortened(table_.names_[a.index], kMaxName);
    if (a.kind == Kind::unknown) {
      const auto named = unknowns_.find(a.index);
      return named == unknowns_.end() ? "?" : shortened(named->second, kMaxName);
    }
    if (a.is_opaque) return "<expr" + std::to_string(a.index) + ">";
    if (a.kind == Kind::floor_div) {
      const std::int64_t unit = unit_of(a);
      return "floor(" + operand(a.a, unit) + "/" + divisor(a.b, unit) + ")";
    }
    const char* const name = a.kind == Kind::min ? "min(" : a.kind == Kind::max ? "max(" : "broadcast(";
    std::string left = dim(a.a);
    std::string right = dim(a.b);
    if (right < left) left.swap(right);
    return name + left + ", " + right + ")";
  }

  /// floor((S/8)/2) is floor(S/16): what both sides are multiplied by, so that symbols print undivided.
  [[nodiscard]] std::int64_t unit_of(const Atom& division) const {
    if (!division.b.is_literal() || division.a.is_literal()) return 1;
    constexpr std::int64_t kMost = 1 << 20;
    std::int64_t unit = 1;
    for (const Term& t : table_.polys_[DimAccess::id(division.a)].terms) {
      if (unit > kMost) return 1;
      for (const Factor& f : table_.monomials_[t.monomial].factors) {
        const std::int64_t own = table_.atoms_[f.atom].unit;
        if (f.exponent == 1) unit = std::lcm(unit, int_floor_div(own, std::gcd(t.coefficient, own)));
      }
    }
    const auto fits = [](std::int64_t number) { return number > -kMost && number < kMost; };
    const auto& all = table_.polys_[DimAccess::id(division.a)].terms;
    const bool is_safe = fits(unit) && fits(division.b.value()) &&
                         std::ranges::all_of(all, [&](const Term& t) { return fits(t.coefficient); });
    return is_safe ? unit : 1;
  }

  std::string operand(Dim d, std::int64_t unit) {
    const std::string text = dim(d, unit);
    const bool is_sum = !d.is_literal() && table_.polys_[DimAccess::id(d)].terms.size() > 1;
    return is_sum ? "(" + text + ")" : text;
  }

  std::string divisor(Dim d, std::int64_t unit) {
    const std::string text = dim(d, unit);
    if (d.is_literal()) return text;
    const auto terms = table_.polys_[DimAccess::id(d)].terms;
    const bool is_bare =
        terms.size() == 1 && terms.front().coefficient == 1 && table_.only_atom(terms.front().monomial);
    return is_bare ? text : "(" + text + ")";
  }

  const Expressions& table_;
  const std::map<std::uint32_t, std::string>& unknowns_;
  int terms_left_ = kMaxTermsPrinted;
};

std::string Expressions::text(Dim a, const std::map<std::uint32_t, std::string>& unknowns) const {
  return Printer(*this, unknowns).dim(a);
}

}  // namespace trtcheck::dims
