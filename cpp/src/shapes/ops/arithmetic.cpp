#include "shapes/ops/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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

/// Integers are divided towards zero, floats only when the quotient is whole.
std::optional<Dim> divide(OpContext& op, Dim a, Dim b) {
  if (b.is_literal() && b.value() < 0) return divide(op, negated(op, a), op.literal(-b.value()));
  if (!is_at_least(op, b, 1)) return std::nullopt;
  if (is_float(op.type(0)) && op.dims().divides(b, a) != Truth::yes) return std::nullopt;
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
std::optional<Dim> same(OpContext&, Dim a) { return a; }
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
    Named<UnaryContent>{"Abs", absolute},    Named<UnaryContent>{"Ceil", same},
    Named<UnaryContent>{"Floor", same},      Named<UnaryContent>{"Neg", negative},
    Named<UnaryContent>{"Not", logical_not}, Named<UnaryContent>{"Relu", rectified},
    Named<UnaryContent>{"Round", same},      Named<UnaryContent>{"Sign", sign},
};

template <class Table>
auto find(const Table& table, std::string_view op) noexcept -> decltype(table[0].function) {
  for (const auto& row : table) {
    if (row.op == op) return row.function;
  }
  return nullptr;
}

/// A constant factor as numerator / 2^shift, when it is one exactly and small enough to multiply sizes with.
struct Dyadic {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
};
std::optional<Dyadic> dyadic(double value) {
  if (!(value > 0) || value > 1024) return std::nullopt;
  for (std::int64_t denominator = 1; denominator <= 1024; denominator *= 2) {
    const double scaled = value * static_cast<double>(denominator);
    if (scaled == std::trunc(scaled)) return Dyadic{static_cast<std::int64_t>(scaled), denominator};
  }
  return std::nullopt;
}

std::optional<DimVector> floors_of_product(OpContext& producer, std::size_t sizes, std::size_t factor) {
  const auto known = producer.known(sizes);
  const auto factors = known ? producer.constant_floats(factor) : std::nullopt;
  if (!factors || factors->empty() || known->empty()) return std::nullopt;
  const std::size_t count = std::max(known->size(), factors->size());
  if ((known->size() != count && known->size() != 1) || (factors->size() != count && factors->size() != 1)) {
    return std::nullopt;
  }
  DimTable& dims = producer.dims();
  DimVector out;
  for (std::size_t i = 0; i < count; ++i) {
    const Dim size = (*known)[known->size() == 1 ? 0 : i];
    const auto ratio = dyadic((*factors)[factors->size() == 1 ? 0 : i]);
    if (!ratio) return std::nullopt;
    const Dim scaled = dims.mul(size, dims.literal(ratio->numerator));
    // A longer product is rounded, perhaps across a whole number.
    if (!survives(producer, scaled, producer.type(factor))) return std::nullopt;
    out.push_back(dims.floor_div(scaled, dims.literal(ratio->denominator)));
  }
  return out;
}

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
    case DataType::float16:
      return {-2048, 2048};
    case DataType::bfloat16:
      return {-256, 256};
    case DataType::float32:
      return {-16777216, 16777216};
    case DataType::float64:
      return {-(1LL << 53), 1LL << 53};
    case DataType::int64:
      return {};
    case DataType::uint64:
      return {0, Interval::kMax};
    default:
      return {1, 0};
  }
}

}  // namespace

bool survives(OpContext& op, Dim dim, DataType type) {
  const Interval range = exact_range(type);
  if (range.low > range.high) return false;
  if (dim.is_literal()) return dim.value() >= range.low && dim.value() <= range.high;
  const Interval bounds = op.dims().bounds(dim);
  const bool is_wide = type == DataType::int32 || type == DataType::uint32 || type == DataType::float32 ||
                       type == DataType::float64 || type == DataType::int64 || type == DataType::uint64;
  return is_wide ? bounds.low >= range.low : bounds.low >= range.low && bounds.high <= range.high;
}

BinaryContent binary_content(std::string_view op_type) noexcept { return find(kBinary, op_type); }
UnaryContent unary_content(std::string_view op_type) noexcept { return find(kUnary, op_type); }

std::optional<DimVector> combine(OpContext& op, BinaryContent content, std::span<const Dim> a, std::span<const Dim> b,
                                 bool is_integer_result) {
  const std::size_t count = a.size() == 1 ? b.size() : a.size();
  if (b.size() != count && b.size() != 1) return std::nullopt;
  DimVector out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto element = content(op, a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
    if (!element && !is_integer_result) return std::nullopt;
    out.push_back(element ? *element : op.unknown_content("the number cannot be followed through this operator"));
  }
  return out;
}

std::optional<DimVector> floor_of_quotient(OpContext& op, std::size_t input) {
  const ValueId value = op.node().input(input);
  const NodeId producer_id = value ? op.model().value(value).producer : NodeId{};
  if (!producer_id) return std::nullopt;
  OpContext producer(op.state(), producer_id);
  const std::string_view kind = producer.node().op_type;
  if (!producer.node().domain().empty() || producer.input_count() != 2) return std::nullopt;
  if (kind == "Mul") {
    auto out = floors_of_product(producer, 0, 1);
    if (!out) out = floors_of_product(producer, 1, 0);
    if (!out) return out;
    // Floor and truncation agree from zero on.
    const bool safe = std::all_of(out->begin(), out->end(), [&](Dim dim) { return op.dims().bounds(dim).low >= 0; });
    return safe ? out : std::nullopt;
  }
  const auto a = kind == "Div" ? producer.known(0) : std::nullopt;
  const auto b = a ? producer.known(1) : std::nullopt;
  if (!b) return std::nullopt;
  const auto floor_division = [](OpContext& context, Dim x, Dim y) -> std::optional<Dim> {
    if (!is_at_least(context, x, 0) || !is_at_least(context, y, 1)) return std::nullopt;
    return context.dims().floor_div(x, y);
  };
  return combine(producer, floor_division, *a, *b, false);
}

}  // namespace trtcheck::shapes
