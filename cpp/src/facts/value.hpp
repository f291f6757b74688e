// What a part of a condition gives: a truth, a number, a text, an element type, or a list of these. Or nothing that can
// be known.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trtcheck/dim.hpp>
#include <trtcheck/model.hpp>

#include "facts/fact.hpp"

namespace trtcheck::facts {

struct Value {
  enum class Kind : std::uint8_t { unknown, truth, number, real, text, type, list };
  Kind kind = Kind::unknown;
  Truth truth = Truth::unknown;
  DataType type = DataType::undefined;
  Dim number{};
  double real = 0;
  std::string_view text{};
  std::vector<Value> items{};
};

[[nodiscard]] inline Value of(Truth truth) { return {.kind = Value::Kind::truth, .truth = truth}; }
[[nodiscard]] inline Value of(Dim number) { return {.kind = Value::Kind::number, .number = number}; }
[[nodiscard]] inline Value of(double real) { return {.kind = Value::Kind::real, .real = real}; }
[[nodiscard]] inline Value of(std::string_view text) { return {.kind = Value::Kind::text, .text = text}; }
[[nodiscard]] inline Value of(DataType type) { return {.kind = Value::Kind::type, .type = type}; }
[[nodiscard]] inline Value of(std::vector<Value> items) {
  return {.kind = Value::Kind::list, .items = std::move(items)};
}
[[nodiscard]] inline Value of_bool(bool truth) { return of(truth ? Truth::yes : Truth::no); }

/// @param as  what an item is made of, where there is no Value of it
template <class Items, class As = std::identity>
[[nodiscard]] Value listed(const Items& items, As as = {}) {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const auto& item : items) values.push_back(of(as(item)));
  return of(std::move(values));
}

[[nodiscard]] constexpr Truth negated(Truth truth) noexcept {
  return truth == Truth::unknown ? truth : truth == Truth::yes ? Truth::no : Truth::yes;
}
[[nodiscard]] constexpr Truth both(Truth a, Truth b) noexcept {
  if (a == Truth::no || b == Truth::no) return Truth::no;
  return a == Truth::yes && b == Truth::yes ? Truth::yes : Truth::unknown;
}
[[nodiscard]] constexpr Truth either(Truth a, Truth b) noexcept { return negated(both(negated(a), negated(b))); }

/// A comparison of numbers, texts or types; of anything else nobody knows.
[[nodiscard]] Truth equal(DimTable& dims, const Value& a, const Value& b);
[[nodiscard]] Truth less_equal(DimTable& dims, const Value& a, const Value& b);
/// @param op  add, subtract, multiply, floor_divide or modulo
[[nodiscard]] Value computed(DimTable& dims, Op op, const Value& a, const Value& b);

/// A place in a list of that size, as in Python: negative ones count from the end. Beyond both ends: nothing before the
/// list, past it behind.
[[nodiscard]] std::optional<std::size_t> position(const Value& value, std::size_t size);

/// As a message shows it: "?" where nobody knows.
[[nodiscard]] std::string text_of(const Value& value, const DimTable& dims);

}  // namespace trtcheck::facts
