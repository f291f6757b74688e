#include "shapes/number.hpp"

#include <cmath>

#include "dims/dim_key.hpp"
#include "dims/intern.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::size_t kMostFractions = std::size_t{1} << 18;
// Numerators of doubles have 53 digits; a Dim holds 61.
constexpr int kFinest = 60;

}  // namespace

std::size_t NumberTable::Hash::operator()(const Key& key) const noexcept {
  const auto rest = static_cast<std::uint64_t>(key.denominator) * 2 + static_cast<std::uint64_t>(key.is_rounded);
  return dims::mix(dims::mix(1, static_cast<std::uint64_t>(key.numerator)), rest);
}

std::optional<Number> NumberTable::operator[](Dim dim) const {
  if (dim.is_literal() || by_dim_.empty()) return Number{dim};
  const auto found = by_dim_.find(key_of(dim));
  if (found == by_dim_.end()) return Number{dim};
  return found->second.denominator == 0 ? std::nullopt : std::optional(found->second);
}

Dim NumberTable::dim_of(DimTable& dims, const Number& number, Origin origin) {
  if (number.is_whole()) return number.numerator;
  const Key key{key_of(number.numerator), number.denominator, number.is_rounded};
  if (const auto found = by_number_.find(key); found != by_number_.end()) return found->second;
  if (by_number_.size() >= kMostFractions) return open(dims, origin);
  const Dim made = dims.unknown(origin, {});
  by_dim_.emplace(key_of(made), number);
  by_number_.emplace(key, made);
  return made;
}

Dim NumberTable::open(DimTable& dims, Origin origin) {
  const Dim made = dims.unknown(origin, {});
  by_dim_.emplace(key_of(made), Number{.denominator = 0});
  return made;
}

int precision_of(DataType type) noexcept {
  switch (type) {
    case DataType::float64:
      return 53;
    case DataType::float32:
      return 24;
    case DataType::float16:
      return 11;
    case DataType::bfloat16:
      return 8;
    default:
      return 0;
  }
}

std::optional<Number> number_of(DimTable& dims, double value) {
  if (!std::isfinite(value)) return std::nullopt;
  std::int64_t denominator = 1;
  for (int shift = 0; std::trunc(value) != value; ++shift) {
    if (shift == kFinest) return std::nullopt;
    value *= 2;
    denominator *= 2;
  }
  if (std::fabs(value) > std::ldexp(1.0, kFinest)) return std::nullopt;
  return Number{dims.literal(static_cast<std::int64_t>(value)), denominator};
}

std::optional<double> double_of(const Number& number) noexcept {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  const bool is_exact = number.numerator.is_literal() && !number.is_rounded && number.numerator.value() >= -kExact &&
                        number.numerator.value() <= kExact;
  if (!is_exact) return std::nullopt;
  return static_cast<double>(number.numerator.value()) / static_cast<double>(number.denominator);  // real division
}

std::optional<double> rounded_to(double value, DataType type) noexcept {
  if (type == DataType::float64) return value;
  if (type == DataType::float32) return static_cast<double>(static_cast<float>(value));
  int exponent = 0;
  const double digits = std::ldexp(std::frexp(value, &exponent), precision_of(type));
  const bool is_normal = value == 0 || (exponent > -13 && exponent < 15);
  return is_normal && std::trunc(digits) == digits ? std::optional(value) : std::nullopt;
}

}  // namespace trtcheck::shapes
