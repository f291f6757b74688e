// Checked integer arithmetic: the only file of dims/ and shapes/ in which `/` and `%` stand on integers.
// C++ truncates towards zero; everything above this file divides with these functions, which round down.
#pragma once

#include <cstdint>
#include <optional>

namespace trtcheck {

/// floor(a / b). @pre b != 0, and not (a == INT64_MIN and b == -1)
constexpr std::int64_t int_floor_div(std::int64_t a, std::int64_t b) noexcept {
  const std::int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

/// ceil(a / b). @pre as int_floor_div
constexpr std::int64_t int_ceil_div(std::int64_t a, std::int64_t b) noexcept {
  const std::int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) == (b < 0)) ? quotient + 1 : quotient;
}

/// a - b * floor(a / b): has the sign of b. @pre as int_floor_div
constexpr std::int64_t int_mod(std::int64_t a, std::int64_t b) noexcept {
  const std::int64_t rest = a % b;
  return (rest != 0 && (rest < 0) != (b < 0)) ? rest + b : rest;
}

constexpr std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t out = 0;
  if (__builtin_add_overflow(a, b, &out)) return std::nullopt;
  return out;
}

constexpr std::optional<std::int64_t> checked_sub(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t out = 0;
  if (__builtin_sub_overflow(a, b, &out)) return std::nullopt;
  return out;
}

constexpr std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) return std::nullopt;
  return out;
}

}  // namespace trtcheck
