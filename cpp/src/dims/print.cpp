// "2*floor((H + 1)/2) - H": by degree, positive terms first, then by name; the constant last.
#include <algorithm>

#include "dims/expressions.hpp"
#include "text/printable.hpp"

namespace trtcheck::dims {

namespace {

// Atoms of many terms that hold atoms of many terms would print as terabytes.
constexpr int kMaxTermsPrinted = 200;

}  // namespace

class Printer {
 public:
  explicit Printer(const Expressions& table) : table_(table) {}

  // Nesting is at most kMaxDepth: deeper atoms are opaque and print as a number.
  std::string dim(Dim d) {
    if (d.is_literal()) return std::to_string(d.value());
    std::vector<Piece> pieces;
    for (const Term& t : table_.polys_[DimAccess::id(d)].terms) {
      if (--terms_left_ < 0) return "...";
      pieces.push_back({table_.monomials_[t.monomial].degree, t.coefficient, product(t.monomial)});
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

  std::string product(std::uint32_t monomial) {
    std::vector<std::string> parts;
    for (const Factor& f : table_.monomials_[monomial].factors) {
      for (std::uint32_t i = 0; i < f.exponent; ++i) parts.push_back(atom(table_.atoms_[f.atom]));
    }
    std::ranges::sort(parts);
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : "*") + part;
    return out;
  }

  std::string atom(const Atom& a) {
    if (a.kind == Kind::symbol) return shortened(table_.names_[a.index], kMaxName);
    if (a.kind == Kind::unknown) return "?";
    if (a.is_opaque) return "<expr" + std::to_string(a.index) + ">";
    if (a.kind == Kind::floor_div) return "floor(" + operand(a.a) + "/" + divisor(a.b) + ")";
    const char* const name = a.kind == Kind::min ? "min(" : a.kind == Kind::max ? "max(" : "broadcast(";
    std::string left = dim(a.a);
    std::string right = dim(a.b);
    if (right < left) left.swap(right);
    return name + left + ", " + right + ")";
  }

  std::string operand(Dim d) {
    const std::string text = dim(d);
    const bool is_sum = !d.is_literal() && table_.polys_[DimAccess::id(d)].terms.size() > 1;
    return is_sum ? "(" + text + ")" : text;
  }

  std::string divisor(Dim d) {
    const std::string text = dim(d);
    if (d.is_literal()) return text;
    const auto terms = table_.polys_[DimAccess::id(d)].terms;
    const bool is_bare =
        terms.size() == 1 && terms.front().coefficient == 1 && table_.only_atom(terms.front().monomial);
    return is_bare ? text : "(" + text + ")";
  }

  const Expressions& table_;
  int terms_left_ = kMaxTermsPrinted;
};

std::string Expressions::text(Dim a) const { return Printer(*this).dim(a); }

}  // namespace trtcheck::dims
