// The public face of the table. Two literals are computed here and touch nothing.
#include <type_traits>

#include <trtcheck/dim.hpp>

#include "dims/checked.hpp"
#include "dims/expressions.hpp"

namespace trtcheck {

static_assert(sizeof(Dim) == 8 && std::is_trivially_copyable_v<Dim>);

struct DimTable::Impl : dims::Expressions {};

DimTable::DimTable() : impl_(std::make_unique<Impl>()) {}
DimTable::DimTable(DimTable&&) noexcept = default;
DimTable& DimTable::operator=(DimTable&&) noexcept = default;
DimTable::~DimTable() = default;

Dim DimTable::literal(std::int64_t value) { return impl_->literal(value); }
Dim DimTable::symbol(std::string_view name, Interval range) { return impl_->symbol(name, range); }
Dim DimTable::unknown(Origin origin, Interval range) { return impl_->unknown(origin, range); }
void DimTable::set_range(std::string_view name, Interval range) { impl_->set_range(name, range); }

void DimTable::limit(std::string_view name, Interval range) { impl_->limit(name, range); }
void DimTable::set_multiple(std::string_view name, std::int64_t factor) { impl_->set_multiple(name, factor); }
void DimTable::define(std::string_view name, Dim meaning) { impl_->define(name, meaning); }
void DimTable::narrow(Dim a, Interval range) { impl_->narrow(a, range); }
std::optional<Dim> DimTable::solved_for(std::string_view name, Dim zero) { return impl_->solved_for(name, zero); }
Dim DimTable::replaced(Dim in, std::string_view name, Dim by) { return impl_->replaced(in, name, by); }
std::optional<DimTable::Linear> DimTable::linear(Dim a) const { return impl_->linear(a); }

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
    return impl_->literal(value.value_or((a.value() < 0) == (b.value() < 0) ? Interval::kMax : Interval::kMin));
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
std::string DimTable::text(Dim a) const { return impl_->text(a, {}); }
std::string DimTable::text(Dim a, const std::map<std::uint32_t, std::string>& unknowns) const {
  return impl_->text(a, unknowns);
}
std::optional<std::int64_t> DimTable::evaluate(Dim a, std::span<const Binding> bindings) const {
  return impl_->evaluate(a, bindings);
}
std::vector<Origin> DimTable::origins(Dim a) const { return impl_->origins(a); }
std::vector<std::string_view> DimTable::symbols(Dim a) const { return impl_->symbols(a); }
bool DimTable::is_exact(Dim a) const { return impl_->is_exact(a); }

}  // namespace trtcheck
