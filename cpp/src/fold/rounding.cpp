#include "fold/rounding.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "model/small_floats.hpp"

namespace trtcheck::fold {
namespace {

using Special = SmallFloat::Special;

const SmallFloat& format_of(DataType type) {
  static constexpr SmallFloat kBrain{8, 7, 127, Special::ieee};
  const SmallFloat* format = small_float(type);
  return format != nullptr ? *format : kBrain;
}

std::uint32_t all_ones(const SmallFloat& f) { return (1U << (f.exponent_bits + f.mantissa_bits)) - 1; }
std::uint32_t infinity(const SmallFloat& f) { return ((1U << f.exponent_bits) - 1) << f.mantissa_bits; }

std::uint32_t largest(const SmallFloat& f) {
  if (f.special == Special::ieee) return infinity(f) - 1;
  return f.special == Special::fn ? all_ones(f) - 1 : all_ones(f);
}

std::uint32_t not_a_number(const SmallFloat& f, std::uint32_t sign) {
  switch (f.special) {
    case Special::ieee:
      return sign | infinity(f) | 1U << (f.mantissa_bits - 1);
    case Special::fn:
      return sign | all_ones(f);
    case Special::fnuz:
      return all_ones(f) + 1;
    default:
      return largest(f);
  }
}

}  // namespace

std::uint32_t encode(DataType type, double x, Overflow overflow) {
  const SmallFloat& f = format_of(type);
  const std::uint32_t sign = std::signbit(x) ? all_ones(f) + 1 : 0;
  if (std::isnan(x)) return not_a_number(f, sign);
  const double magnitude = std::fabs(x);
  const auto mantissa = static_cast<int>(f.mantissa_bits);
  std::uint32_t bits = largest(f) + 1;
  if (magnitude < std::ldexp(1.0, (1 << f.exponent_bits) - f.bias)) {
    const int lowest = 1 - f.bias;
    const int exponent = magnitude == 0 ? lowest : std::max(std::ilogb(magnitude), lowest);
    // A carry out of the mantissa lands in the exponent, where it belongs.
    const auto steps = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, mantissa - exponent)));
    bits = (static_cast<std::uint32_t>(exponent - lowest) << f.mantissa_bits) + steps;
  }
  if (bits > largest(f)) {
    if (overflow == Overflow::saturate || f.special == Special::none) return sign | largest(f);
    return f.special == Special::ieee ? sign | infinity(f) : not_a_number(f, sign);
  }
  return f.special == Special::fnuz && bits == 0 ? 0 : sign | bits;
}

double decode(DataType type, std::uint32_t bits) {
  if (type != DataType::float8e8m0) return format_of(type).decode(bits);
  if (bits == 0xffU) return std::numeric_limits<double>::quiet_NaN();
  return std::ldexp(1.0, static_cast<int>(bits) - 127);
}

std::uint32_t encode_e8m0(float x, Round round, Overflow overflow) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t exponent = bits >> 23U & 0xffU;
  const std::uint32_t mantissa = bits & 0x7fffffU;
  constexpr std::uint32_t kNan = 0xff;
  if (exponent == kNan) return mantissa == 0 && overflow == Overflow::saturate ? kNan - 1 : kNan;
  bool is_next = false;
  if (round == Round::up) is_next = mantissa != 0 && (exponent != 0 || mantissa > 0x400000U);
  if (round == Round::nearest) is_next = mantissa >= 0x400000U && (exponent != 0 || mantissa > 0x400000U);
  const std::uint32_t made = exponent + (is_next ? 1 : 0);
  return made == kNan && overflow == Overflow::saturate ? kNan - 1 : made;
}

}  // namespace trtcheck::fold
