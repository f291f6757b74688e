#include "facts/value.hpp"

#include <fmt/core.h>

namespace trtcheck::facts {
namespace {

using Kind = Value::Kind;

std::optional<double> as_real(const Value& value) {
  if (value.kind == Kind::real) return value.real;
  if (value.kind == Kind::number && value.number.is_literal()) return static_cast<double>(value.number.value());
  return std::nullopt;
}

Truth of_answer(bool answer) { return answer ? Truth::yes : Truth::no; }

}  // namespace

Truth equal(DimTable& dims, const Value& a, const Value& b) {
  if (a.kind == Kind::number && b.kind == Kind::number) return dims.equal(a.number, b.number);
  if (a.kind == Kind::text && b.kind == Kind::text) return of_answer(a.text == b.text);
  if (a.kind == Kind::type && b.kind == Kind::type) return of_answer(a.type == b.type);
  const auto left = as_real(a);
  const auto right = as_real(b);
  return left && right ? of_answer(*left == *right) : Truth::unknown;
}

Truth less_equal(DimTable& dims, const Value& a, const Value& b) {
  if (a.kind == Kind::number && b.kind == Kind::number) return dims.less_equal(a.number, b.number);
  const auto left = as_real(a);
  const auto right = as_real(b);
  return left && right ? of_answer(*left <= *right) : Truth::unknown;
}

Value computed(DimTable& dims, Op op, const Value& a, const Value& b) {
  if (a.kind != Kind::number || b.kind != Kind::number) {
    const auto left = as_real(a);
    const auto right = as_real(b);
    if (!left || !right || op == Op::floor_divide || op == Op::modulo) return {};
    return of(op == Op::add ? *left + *right : op == Op::subtract ? *left - *right : *left * *right);
  }
  switch (op) {
    case Op::add:
      return of(dims.add(a.number, b.number));
    case Op::subtract:
      return of(dims.sub(a.number, b.number));
    case Op::multiply:
      return of(dims.mul(a.number, b.number));
    default:
      // Divisors below 1 are not what sizes are divided by.
      if (dims.bounds(b.number).low < 1) return {};
      return of(op == Op::modulo ? dims.mod(a.number, b.number) : dims.floor_div(a.number, b.number));
  }
}

std::optional<std::size_t> position(const Value& value, std::size_t size) {
  if (value.kind != Kind::number || !value.number.is_literal()) return std::nullopt;
  const std::int64_t at = value.number.value();
  if (at >= 0) return static_cast<std::size_t>(at);
  const auto from_end = static_cast<std::size_t>(-at);
  return from_end > size ? std::nullopt : std::optional(size - from_end);
}

std::string text_of(const Value& value, const DimTable& dims) {
  switch (value.kind) {
    case Kind::unknown:
      return "?";
    case Kind::truth:
      return value.truth == Truth::yes ? "yes" : value.truth == Truth::no ? "no" : "?";
    case Kind::number:
      return dims.text(value.number);
    case Kind::real:
      return fmt::format("{}", value.real);
    case Kind::text:
      return std::string(value.text);
    case Kind::type:
      return to_string(value.type);
    case Kind::list:
      break;
  }
  std::string out = "[";
  for (const Value& item : value.items) out.append(out.size() == 1 ? "" : ", ").append(text_of(item, dims));
  return out + "]";
}

}  // namespace trtcheck::facts
