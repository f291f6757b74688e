// Why a number that was rounded may be followed: a quotient a/b of whole numbers that is not whole lies at least 1/b
// from every whole number, and rounding to p digits moves it by less as long as a stays below 2^p. So floor, ceil and
// truncation give what they give of the exact quotient; a half is as far away as long as 2*a stays below 2^p.
#include "shapes/ops/float_arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "dims/checked.hpp"
#include "shapes/known_values.hpp"
#include "shapes/ops/arithmetic.hpp"

namespace trtcheck::shapes {

namespace {

using Made = std::optional<Number>;

constexpr std::int64_t kLargestDenominator = std::int64_t{1} << 40;

constexpr bool is_power_of_two(std::int64_t value) noexcept { return value > 0 && (value & (value - 1)) == 0; }

Dim scaled(OpContext& op, Dim dim, std::int64_t factor) {
  return factor == 1 ? dim : op.dims().mul(dim, op.literal(factor));
}

/// Below 2^(precision - spare), for all sizes.
bool has_digits(OpContext& op, DataType type, Dim dim, int spare = 0) {
  const int digits = precision_of(type);
  if (digits == 0) return false;
  const std::int64_t limit = (std::int64_t{1} << (digits - spare)) - 1;
  const Interval range = usual_bounds(op, dim, type);
  return range.low >= -limit && range.high <= limit;
}

/// numerator / denominator in lowest terms, as far as that can be seen; nothing when the type may hold another number.
Made fraction(OpContext& op, DataType type, Dim numerator, std::int64_t denominator) {
  DimTable& t = op.dims();
  if (denominator < 1 || denominator > kLargestDenominator) return std::nullopt;
  if (denominator > 1 && t.divides(op.literal(denominator), numerator) == Truth::yes) {
    numerator = t.floor_div(numerator, op.literal(denominator));
    denominator = 1;
  }
  while ((denominator & 1) == 0 && t.divides(op.literal(2), numerator) == Truth::yes) {
    numerator = t.floor_div(numerator, op.literal(2));
    denominator >>= 1;
  }
  if (!has_digits(op, type, numerator)) return std::nullopt;
  return Number{numerator, denominator, !is_power_of_two(denominator)};
}

/// What the type makes of a number that was computed exactly, or rounded to double.
Made computed(OpContext& op, DataType type, double value) {
  const auto rounded = rounded_to(value, type);
  return rounded ? number_of(op.dims(), *rounded) : std::nullopt;
}

struct Doubles {
  double a;
  double b;
};
std::optional<Doubles> doubles(const Number& a, const Number& b) {
  const auto x = double_of(a);
  const auto y = x ? double_of(b) : std::nullopt;
  return y ? std::optional(Doubles{*x, *y}) : std::nullopt;
}

/// Both over one denominator; nothing when one was rounded, or it is too large.
struct Common {
  Dim a;
  Dim b;
  std::int64_t denominator;
};
std::optional<Common> common(OpContext& op, const Number& a, const Number& b) {
  if (a.is_rounded || b.is_rounded) return std::nullopt;
  // Powers of two: the larger one serves both.
  const std::int64_t both = std::max(a.denominator, b.denominator);
  if (both > kLargestDenominator) return std::nullopt;
  return Common{scaled(op, a.numerator, int_floor_div(both, a.denominator)),
                scaled(op, b.numerator, int_floor_div(both, b.denominator)), both};
}

Made sum(OpContext& op, DataType type, const Number& a, const Number& b, std::int64_t sign) {
  if (const auto exact = doubles(a, b)) return computed(op, type, exact->a + static_cast<double>(sign) * exact->b);
  const auto both = common(op, a, b);
  if (!both) return std::nullopt;
  const Dim numerator = sign > 0 ? op.dims().add(both->a, both->b) : op.dims().sub(both->a, both->b);
  return fraction(op, type, numerator, both->denominator);
}

/// Rounding commutes with powers of two.
bool only_scales(const Number& a) {
  return a.numerator.is_literal() && is_power_of_two(a.numerator.value()) && is_power_of_two(a.denominator);
}

Made product(OpContext& op, DataType type, const Number& a, const Number& b) {
  if (const auto exact = doubles(a, b)) return computed(op, type, exact->a * exact->b);
  if ((a.is_rounded && !only_scales(b)) || (b.is_rounded && !only_scales(a))) return std::nullopt;
  const auto denominator = checked_mul(a.denominator, b.denominator);
  if (!denominator) return std::nullopt;
  auto made = fraction(op, type, op.dims().mul(a.numerator, b.numerator), *denominator);
  if (made && (a.is_rounded || b.is_rounded)) made->is_rounded = !made->is_whole();
  // A whole number that comes of a rounded one may have been rounded away from it.
  if (made && made->is_whole() && (a.is_rounded || b.is_rounded)) return std::nullopt;
  return made;
}

Made quotient(OpContext& op, DataType type, Number a, Number b) {
  DimTable& t = op.dims();
  if (b.numerator.is(0) || b.is_rounded) return std::nullopt;
  if (const auto exact = doubles(a, b)) return computed(op, type, exact->a / exact->b);  // real division
  if (a.is_rounded && !only_scales(b)) return std::nullopt;
  if (b.numerator.is_literal()) {
    const std::int64_t divisor = b.numerator.value();
    const auto denominator = checked_mul(a.denominator, divisor < 0 ? -divisor : divisor);
    if (!denominator) return std::nullopt;
    auto made = fraction(op, type, scaled(op, a.numerator, divisor < 0 ? -b.denominator : b.denominator), *denominator);
    if (made && a.is_rounded && made->is_whole()) return std::nullopt;
    if (made) made->is_rounded = made->is_rounded || a.is_rounded;
    return made;
  }
  // By a size: only what is whole for every one.
  const Dim dividend = scaled(op, a.numerator, b.denominator);
  const Dim divisor = scaled(op, b.numerator, a.denominator);
  if (a.is_rounded || t.bounds(divisor).low < 1 || t.divides(divisor, dividend) != Truth::yes) return std::nullopt;
  return fraction(op, type, t.floor_div(dividend, divisor), 1);
}

std::optional<Dim> as_dim(OpContext& op, const Made& made) {
  return made ? std::optional(op.dim_of(*made)) : std::nullopt;
}

std::optional<Dim> add(OpContext& op, DataType type, const Number& a, const Number& b) {
  return as_dim(op, sum(op, type, a, b, 1));
}
std::optional<Dim> subtract(OpContext& op, DataType type, const Number& a, const Number& b) {
  return as_dim(op, sum(op, type, a, b, -1));
}
std::optional<Dim> multiply(OpContext& op, DataType type, const Number& a, const Number& b) {
  return as_dim(op, product(op, type, a, b));
}
std::optional<Dim> divide(OpContext& op, DataType type, const Number& a, const Number& b) {
  return as_dim(op, quotient(op, type, a, b));
}

/// Whole exponents only: libraries agree on products, not on powers.
std::optional<Dim> power(OpContext& op, DataType type, const Number& a, const Number& b) {
  if (!b.numerator.is_literal() || !b.is_whole() || b.numerator.value() < 0 || b.numerator.value() > 8) {
    return std::nullopt;
  }
  Made out = Number{op.literal(1)};
  for (std::int64_t i = 0; out && i < b.numerator.value(); ++i) {
    // What is rounded between the factors is rounded elsewhere in another library.
    const auto exact = doubles(*out, a);
    if (exact && rounded_to(exact->a * exact->b, type) != exact->a * exact->b) return std::nullopt;
    out = product(op, type, *out, a);
    if (out && out->is_rounded) return std::nullopt;
  }
  return as_dim(op, out);
}

std::optional<Dim> extreme(OpContext& op, const Number& a, const Number& b, bool is_larger) {
  const auto both = common(op, a, b);
  if (!both) return std::nullopt;
  const Dim chosen = is_larger ? op.dims().max(both->a, both->b) : op.dims().min(both->a, both->b);
  if (chosen.same(both->a)) return op.dim_of(a);
  if (chosen.same(both->b)) return op.dim_of(b);
  return op.dim_of({chosen, both->denominator});
}
std::optional<Dim> larger(OpContext& op, DataType, const Number& a, const Number& b) { return extreme(op, a, b, true); }
std::optional<Dim> smaller(OpContext& op, DataType, const Number& a, const Number& b) {
  return extreme(op, a, b, false);
}

/// Whole numbers from 0 on, where remainders have one meaning.
std::optional<Dim> remainder(OpContext& op, DataType, const Number& a, const Number& b) {
  const bool is_plain = a.is_whole() && b.is_whole() && op.dims().bounds(a.numerator).low >= 0;
  return is_plain ? binary_content("Mod")(op, a.numerator, b.numerator) : std::nullopt;
}

/// What is asked of integers, over one denominator.
std::optional<Dim> compared(OpContext& op, DataType, const Number& a, const Number& b) {
  const auto both = common(op, a, b);
  return both ? binary_content(op.node().op_type)(op, both->a, both->b) : std::nullopt;
}

Made down(OpContext& op, DataType, const Number& a) {
  return Number{op.dims().floor_div(a.numerator, op.literal(a.denominator))};
}
Made up(OpContext& op, DataType, const Number& a) {
  return Number{op.dims().ceil_div(a.numerator, op.literal(a.denominator))};
}

/// To the nearest whole number, halves to the even one: an even number 2*j is reached from (2*j - 1/2) on, an odd one
/// after (2*j + 1/2).
Made nearest(OpContext& op, DataType type, const Number& a) {
  if (a.is_whole()) return a;
  DimTable& t = op.dims();
  if (a.is_rounded && !has_digits(op, type, a.numerator, 1)) return std::nullopt;
  if ((a.denominator & 1) != 0) {
    const Dim doubled = t.add(scaled(op, a.numerator, 2), op.literal(a.denominator));
    return Number{t.floor_div(doubled, op.literal(2 * a.denominator))};
  }
  const std::int64_t half = a.denominator >> 1;
  const Dim even = t.floor_div(t.add(a.numerator, op.literal(half)), op.literal(2 * a.denominator));
  const Dim odd = t.floor_div(t.add(a.numerator, op.literal(3 * half - 1)), op.literal(2 * a.denominator));
  return Number{t.add(even, odd)};
}

Made negative(OpContext& op, DataType, const Number& a) {
  return Number{scaled(op, a.numerator, -1), a.denominator, a.is_rounded};
}
Made absolute(OpContext& op, DataType type, const Number& a) {
  const Interval range = op.dims().bounds(a.numerator);
  if (range.low >= 0) return a;
  if (range.high <= 0) return negative(op, type, a);
  return Number{op.dims().max(a.numerator, scaled(op, a.numerator, -1)), a.denominator, a.is_rounded};
}
Made rectified(OpContext& op, DataType, const Number& a) {
  return Number{op.dims().max(a.numerator, op.literal(0)), a.denominator, a.is_rounded};
}
Made sign(OpContext& op, DataType, const Number& a) {
  const Interval range = op.dims().bounds(a.numerator);
  if (range.low >= 1) return Number{op.literal(1)};
  if (range.high < 0) return Number{op.literal(-1)};
  return a.numerator.is(0) ? Made(Number{op.literal(0)}) : std::nullopt;
}
Made root(OpContext& op, DataType type, const Number& a) {
  const auto value = double_of(a);
  return value && *value >= 0 ? computed(op, type, std::sqrt(*value)) : std::nullopt;
}
Made reciprocal(OpContext& op, DataType type, const Number& a) { return quotient(op, type, {op.literal(1)}, a); }

template <class Function>
struct Row {
  std::string_view op;
  Function function;
};
constexpr std::array kBinaryRows{
    Row<FloatBinary>{"Add", add},
    Row<FloatBinary>{"Div", divide},
    Row<FloatBinary>{"Equal", compared},
    Row<FloatBinary>{"Greater", compared},
    Row<FloatBinary>{"GreaterOrEqual", compared},
    Row<FloatBinary>{"Less", compared},
    Row<FloatBinary>{"LessOrEqual", compared},
    Row<FloatBinary>{"Max", larger},
    Row<FloatBinary>{"Min", smaller},
    Row<FloatBinary>{"Mod", remainder},
    Row<FloatBinary>{"Mul", multiply},
    Row<FloatBinary>{"Pow", power},
    Row<FloatBinary>{"Sub", subtract},
    Row<FloatBinary>{"Sum", add},
};
constexpr std::array kUnaryRows{
    Row<FloatUnary>{"Abs", absolute},          Row<FloatUnary>{"Ceil", up},        Row<FloatUnary>{"Floor", down},
    Row<FloatUnary>{"Neg", negative},          Row<FloatUnary>{"Relu", rectified}, Row<FloatUnary>{"Round", nearest},
    Row<FloatUnary>{"Reciprocal", reciprocal}, Row<FloatUnary>{"Sign", sign},      Row<FloatUnary>{"Sqrt", root},
};

template <class Table>
auto row_of(const Table& table, std::string_view op) noexcept -> decltype(table[0].function) {
  const auto found = std::ranges::find(table, op, [](const auto& row) { return row.op; });
  return found == table.end() ? nullptr : found->function;
}

}  // namespace

FloatBinary float_binary(std::string_view op_type) noexcept { return row_of(kBinaryRows, op_type); }
FloatUnary float_unary(std::string_view op_type) noexcept { return row_of(kUnaryRows, op_type); }

std::optional<DimVector> combine_floats(OpContext& op, FloatBinary content, DataType type, std::span<const Dim> a,
                                        std::span<const Dim> b) {
  const std::size_t count = a.size() == 1 ? b.size() : a.size();
  if (b.size() != count && b.size() != 1) return std::nullopt;
  DimVector out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto left = op.number(a[a.size() == 1 ? 0 : i]);
    const auto right = left ? op.number(b[b.size() == 1 ? 0 : i]) : std::nullopt;
    const auto element = right ? content(op, type, *left, *right) : std::nullopt;
    // Long lists of fractions are weights, not sizes.
    if (count > kShortContents && !(element && element->is_literal())) return std::nullopt;
    out.push_back(element ? *element : op.open_number());
  }
  return out;
}

std::optional<Number> float_to_float(OpContext& op, DataType to, const Number& a) {
  if (const auto value = double_of(a)) return computed(op, to, *value);
  const bool is_kept =
      precision_of(to) >= precision_of(op.type(0)) || (!a.is_rounded && has_digits(op, to, a.numerator));
  return is_kept ? std::optional(a) : std::nullopt;
}

std::optional<Number> whole_to_float(OpContext& op, DataType to, Dim a) {
  if (const auto value = double_of({a})) return computed(op, to, *value);
  return has_digits(op, to, a) ? std::optional(Number{a}) : std::nullopt;
}

Dim float_to_whole(OpContext& op, const Number& a) {
  if (a.is_whole()) return a.numerator;
  DimTable& t = op.dims();
  const Dim denominator = op.literal(a.denominator);
  const Interval range = t.bounds(a.numerator);
  if (range.low >= 0) return t.floor_div(a.numerator, denominator);
  if (range.high <= 0) return t.ceil_div(a.numerator, denominator);
  const Dim zero = op.literal(0);
  return t.add(t.floor_div(t.max(a.numerator, zero), denominator), t.ceil_div(t.min(a.numerator, zero), denominator));
}

}  // namespace trtcheck::shapes
