// Numbers for symbols, and what an expression is made of. Atoms are visited by id, operands first.
#include <algorithm>
#include <unordered_set>

#include "dims/checked.hpp"
#include "dims/expressions.hpp"

namespace trtcheck::dims {

namespace {

using Number = std::optional<std::int64_t>;

Number broadcast_number(std::int64_t a, std::int64_t b) {
  if (a == 1 || a == b) return b;
  return b == 1 ? Number(a) : std::nullopt;
}

Number apply(Kind kind, std::int64_t a, std::int64_t b) {
  switch (kind) {
    case Kind::floor_div:
      return b > 0 ? Number(int_floor_div(a, b)) : std::nullopt;
    case Kind::min:
      return std::min(a, b);
    case Kind::max:
      return std::max(a, b);
    case Kind::broadcast:
      return broadcast_number(a, b);
    case Kind::add:
      return checked_add(a, b);
    case Kind::mul:
      return checked_mul(a, b);
    case Kind::symbol:
    case Kind::unknown:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::uint32_t> Expressions::atoms_inside(Dim a) const {
  std::vector<std::uint32_t> found;
  std::vector<Dim> waiting{a};
  std::unordered_set<std::uint32_t> seen;
  while (!waiting.empty()) {
    const Dim next = waiting.back();
    waiting.pop_back();
    if (next.is_literal()) continue;
    for (const Term& t : polys_[DimAccess::id(next)].terms) {
      for (const Factor& f : monomials_[t.monomial].factors) {
        if (!seen.insert(f.atom).second) continue;
        found.push_back(f.atom);
        waiting.push_back(atoms_[f.atom].a);
        waiting.push_back(atoms_[f.atom].b);
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

std::optional<std::int64_t> Expressions::evaluate(Dim a, std::span<const DimTable::Binding> bindings) const {
  if (a.is_literal()) return a.value();
  if (!is_exact(a)) return std::nullopt;
  const std::vector<std::uint32_t> atoms = atoms_inside(a);
  std::vector<std::int64_t> values;
  const auto value_of = [&](Dim d) -> Number {
    Term slot;
    std::int64_t total = 0;
    for (const Term& t : terms(d, slot)) {
      Number part = t.coefficient;
      for (const Factor& f : monomials_[t.monomial].factors) {
        const auto at = static_cast<std::size_t>(std::ranges::lower_bound(atoms, f.atom) - atoms.begin());
        for (std::uint32_t i = 0; i < f.exponent && part; ++i) part = checked_mul(*part, values[at]);
      }
      const Number next = part ? checked_add(total, *part) : part;
      if (!next) return std::nullopt;
      total = *next;
    }
    return total;
  };
  for (const std::uint32_t id : atoms) {
    const Atom& atom = atoms_[id];
    Number value;
    if (atom.kind == Kind::symbol) {
      const auto bound = std::ranges::find(bindings, names_[atom.index], &DimTable::Binding::name);
      if (bound != bindings.end() && int_mod(bound->value, atom.unit) == 0) {
        value = int_floor_div(bound->value, atom.unit);
      }
    } else {
      const Number left = value_of(atom.a);
      const Number right = value_of(atom.b);
      if (left && right) value = apply(atom.kind, *left, *right);
    }
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return value_of(a);
}

std::vector<Origin> Expressions::origins(Dim a) const {
  std::vector<Origin> out;
  if (is_exact(a)) return out;
  for (const std::uint32_t id : atoms_inside(a)) {
    if (atoms_[id].kind == Kind::unknown) out.push_back(origins_[atoms_[id].index]);
  }
  return out;
}

std::vector<std::string_view> Expressions::symbols(Dim a) const {
  std::vector<std::string_view> out;
  for (const std::uint32_t id : atoms_inside(a)) {
    if (atoms_[id].kind == Kind::symbol) out.push_back(names_[atoms_[id].index]);
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace trtcheck::dims
