#include "shapes/ops/arithmetic.hpp"

#include <algorithm>
#include <array>

#include "shapes/infer.hpp"
#include "shapes/known_values.hpp"

namespace trtcheck::shapes {

namespace {

Dim truth(OpContext& op, Truth answer) {
  if (answer == Truth::unknown) return op.unknown("the condition depends on sizes", -1, {0, 1});
  return op.literal(answer == Truth::yes ? 1 : 0);
}

Truth negate(Truth answer) {
  if (answer == Truth::unknown) return answer;
  return answer == Truth::yes ? Truth::no : Truth::yes;
}

bool is_at_least(OpContext& op, Dim a, std::int64_t low) { return op.dims().bounds(a).low >= low; }

Dim negated(OpContext& op, Dim a) { return op.dims().sub(op.literal(0), a); }

std::optional<Dim> add(OpContext& op, Dim a, Dim b) { return op.dims().add(a, b); }
std::optional<Dim> subtract(OpContext& op, Dim a, Dim b) { return op.dims().sub(a, b); }
std::optional<Dim> multiply(OpContext& op, Dim a, Dim b) { return op.dims().mul(a, b); }
std::optional<Dim> smaller(OpContext& op, Dim a, Dim b) { return op.dims().min(a, b); }
std::optional<Dim> larger(OpContext& op, Dim a, Dim b) { return op.dims().max(a, b); }

/// Towards zero.
std::optional<Dim> divide(OpContext& op, Dim a, Dim b) {
  if (b.is_literal() && b.value() < 0) return divide(op, negated(op, a), op.literal(-b.value()));
  if (!is_at_least(op, b, 1)) return std::nullopt;
  if (is_at_least(op, a, 0)) return op.dims().floor_div(a, b);
  if (op.dims().bounds(a).high > 0) return std::nullopt;
  return negated(op, op.dims().floor_div(negated(op, a), b));
}

/// The sign follows the divisor, with fmod=1 the dividend.
std::optional<Dim> modulo(OpContext& op, Dim a, Dim b) {
  if (!is_at_least(op, b, 1)) return std::nullopt;
  if (op.attr_int("fmod", 0) != 0 && !is_at_least(op, a, 0)) return std::nullopt;
  return op.dims().mod(a, b);
}

std::optional<Dim> power(OpContext& op, Dim a, Dim b) {
  if (!b.is_literal() || b.value() < 0 || b.value() > 8) return std::nullopt;
  Dim out = op.literal(1);
  for (std::int64_t i = 0; i < b.value(); ++i) out = op.dims().mul(out, a);
  return out;
}

Truth less(OpContext& op, Dim a, Dim b) { return negate(op.dims().less_equal(b, a)); }

std::optional<Dim> is_equal(OpContext& op, Dim a, Dim b) { return truth(op, op.dims().equal(a, b)); }
std::optional<Dim> is_less(OpContext& op, Dim a, Dim b) { return truth(op, less(op, a, b)); }
std::optional<Dim> is_greater(OpContext& op, Dim a, Dim b) { return truth(op, less(op, b, a)); }
std::optional<Dim> is_less_or_equal(OpContext& op, Dim a, Dim b) { return truth(op, op.dims().less_equal(a, b)); }
std::optional<Dim> is_greater_or_equal(OpContext& op, Dim a, Dim b) { return truth(op, op.dims().less_equal(b, a)); }

std::optional<Dim> logical_and(OpContext& op, Dim a, Dim b) {
  if (a.is(0) || b.is(0)) return op.literal(0);
  if (a.is(1)) return b;
  return b.is(1) || a.same(b) ? std::optional(a) : std::nullopt;
}
std::optional<Dim> logical_or(OpContext& op, Dim a, Dim b) {
  if (a.is(1) || b.is(1)) return op.literal(1);
  if (a.is(0)) return b;
  return b.is(0) || a.same(b) ? std::optional(a) : std::nullopt;
}
std::optional<Dim> logical_xor(OpContext& op, Dim a, Dim b) {
  if (!a.is_literal() || !b.is_literal()) return std::nullopt;
  return op.literal(a.value() == b.value() ? 0 : 1);
}

std::optional<Dim> logical_not(OpContext& op, Dim a) { return op.dims().sub(op.literal(1), a); }
std::optional<Dim> negative(OpContext& op, Dim a) { return negated(op, a); }
std::optional<Dim> absolute(OpContext& op, Dim a) {
  if (is_at_least(op, a, 0)) return a;
  return op.dims().bounds(a).high <= 0 ? std::optional(negated(op, a)) : std::nullopt;
}
std::optional<Dim> rectified(OpContext& op, Dim a) { return op.dims().max(a, op.literal(0)); }
std::optional<Dim> sign(OpContext& op, Dim a) {
  if (is_at_least(op, a, 1)) return op.literal(1);
  if (op.dims().bounds(a).high < 0) return op.literal(-1);
  return a.is(0) ? std::optional(a) : std::nullopt;
}

template <class Function>
struct Named {
  std::string_view op;
  Function function;
};
constexpr std::array kBinary{
    Named<BinaryContent>{"Add", add},
    Named<BinaryContent>{"And", logical_and},
    Named<BinaryContent>{"Div", divide},
    Named<BinaryContent>{"Equal", is_equal},
    Named<BinaryContent>{"Greater", is_greater},
    Named<BinaryContent>{"GreaterOrEqual", is_greater_or_equal},
    Named<BinaryContent>{"Less", is_less},
    Named<BinaryContent>{"LessOrEqual", is_less_or_equal},
    Named<BinaryContent>{"Max", larger},
    Named<BinaryContent>{"Min", smaller},
    Named<BinaryContent>{"Mod", modulo},
    Named<BinaryContent>{"Mul", multiply},
    Named<BinaryContent>{"Or", logical_or},
    Named<BinaryContent>{"Pow", power},
    Named<BinaryContent>{"Sub", subtract},
    Named<BinaryContent>{"Sum", add},
    Named<BinaryContent>{"Xor", logical_xor},
};
constexpr std::array kUnary{
    Named<UnaryContent>{"Abs", absolute},    Named<UnaryContent>{"Neg", negative},
    Named<UnaryContent>{"Not", logical_not}, Named<UnaryContent>{"Relu", rectified},
    Named<UnaryContent>{"Sign", sign},
};

template <class Table>
auto find(const Table& table, std::string_view op) noexcept -> decltype(table[0].function) {
  for (const auto& row : table) {
    if (row.op == op) return row.function;
  }
  return nullptr;
}

/// A size that nothing bounds is taken to be one that fits into memory on every axis.
constexpr std::int64_t kUsualSize = std::int64_t{1} << 16;

/// Numbers that a type holds exactly, all of them.
Interval exact_range(DataType type) {
  switch (type) {
    case DataType::boolean:
      return {0, 1};
    case DataType::uint8:
      return {0, 255};
    case DataType::int8:
      return {-128, 127};
    case DataType::uint16:
      return {0, 65535};
    case DataType::int16:
      return {-32768, 32767};
    case DataType::int32:
      return {-2147483648LL, 2147483647LL};
    case DataType::uint32:
      return {0, 4294967295LL};
    case DataType::int64:
      return {};
    case DataType::uint64:
      return {0, Interval::kMax};
    default:
      return {1, 0};
  }
}

}  // namespace

Interval usual_bounds(OpContext& op, Dim dim, DataType type) {
  constexpr std::size_t kMostSymbols = 4;
  DimTable& t = op.dims();
  const Interval proven = t.bounds(dim);
  const bool is_wide = type != DataType::float16 && type != DataType::bfloat16;
  const bool is_open = proven.low == Interval::kMin || proven.high == Interval::kMax;
  if (!is_wide || !is_open) return proven;
  if (!t.is_exact(dim)) {
    return proven.low == Interval::kMin ? proven : Interval{proven.low, std::max(proven.low, kUsualSize)};
  }
  const std::vector<std::string_view> names = t.symbols(dim);
  if (names.size() > kMostSymbols) return proven;
  std::optional<Interval> out;
  for (unsigned corner = 0; corner < 1U << names.size(); ++corner) {
    std::vector<DimTable::Binding> sizes;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Interval range = t.bounds(t.symbol(names[i]));
      const std::int64_t high = range.high == Interval::kMax ? std::max(range.low, kUsualSize) : range.high;
      sizes.push_back({names[i], (corner >> i & 1U) != 0 ? high : range.low});
    }
    const auto value = t.evaluate(dim, sizes);
    if (!value) return proven;
    out = out ? Interval{std::min(out->low, *value), std::max(out->high, *value)} : Interval{*value, *value};
  }
  return {std::max(out->low, proven.low), std::min(out->high, proven.high)};
}

bool survives(OpContext& op, Dim dim, DataType type) {
  const Interval range = exact_range(type);
  if (range.low > range.high) return false;
  if (dim.is_literal()) return dim.value() >= range.low && dim.value() <= range.high;
  const Interval proven = op.dims().bounds(dim);
  if (proven.low >= range.low && proven.high <= range.high) return true;
  const bool is_wide = type == DataType::int32 || type == DataType::uint32 || type == DataType::uint64;
  // The runtime counts the elements of a tensor in such a type, or fails.
  const bool may_be_open = is_wide && (proven.high == Interval::kMax || proven.high <= range.high);
  return may_be_open && usual_bounds(op, dim, type).low >= range.low;
}

BinaryContent binary_content(std::string_view op_type) noexcept { return find(kBinary, op_type); }
UnaryContent unary_content(std::string_view op_type) noexcept { return find(kUnary, op_type); }

std::optional<DimVector> combine(OpContext& op, BinaryContent content, std::span<const Dim> a, std::span<const Dim> b) {
  const std::size_t count = a.size() == 1 ? b.size() : a.size();
  if (b.size() != count && b.size() != 1) return std::nullopt;
  DimVector out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto element = content(op, a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
    out.push_back(element ? *element : op.unknown_content("the number cannot be followed through this operator"));
  }
  return out;
}

}  // namespace trtcheck::shapes
