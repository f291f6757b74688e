// Floating point formats of 16 bits and less that differ only in their widths, bias and special values.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include <trtcheck/model.hpp>

namespace trtcheck {

struct SmallFloat {
  /// ieee: the largest exponent means infinity and NaN. fn: only all ones is NaN. fnuz: minus zero is NaN.
  enum class Special : std::uint8_t { ieee, fn, fnuz, none };
  std::uint32_t exponent_bits;
  std::uint32_t mantissa_bits;
  int bias;
  Special special;

  [[nodiscard]] double decode(std::uint64_t bits) const noexcept {
    const std::uint64_t mantissa_mask = (std::uint64_t{1} << mantissa_bits) - 1;
    const std::uint64_t exponent_mask = (std::uint64_t{1} << exponent_bits) - 1;
    const std::uint64_t mantissa = bits & mantissa_mask;
    const std::uint64_t exponent = bits >> mantissa_bits & exponent_mask;
    const bool is_negative = (bits >> (mantissa_bits + exponent_bits) & 1U) != 0;
    const bool is_top = exponent == exponent_mask;
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    if (special == Special::fnuz && is_negative && exponent == 0 && mantissa == 0) return kNan;
    if (special == Special::fn && is_top && mantissa == mantissa_mask) return kNan;
    double magnitude = 0;
    if (special == Special::ieee && is_top) {
      magnitude = mantissa == 0 ? std::numeric_limits<double>::infinity() : kNan;
    } else {
      const bool is_normal = exponent != 0;
      const double significand = static_cast<double>(mantissa + (is_normal ? mantissa_mask + 1 : 0));
      const int power = (is_normal ? static_cast<int>(exponent) : 1) - bias - static_cast<int>(mantissa_bits);
      magnitude = std::ldexp(significand, power);
    }
    return is_negative ? -magnitude : magnitude;
  }
};

/// nullptr: not one of them.
inline const SmallFloat* small_float(DataType type) noexcept {
  using Special = SmallFloat::Special;
  static constexpr SmallFloat kHalf{5, 10, 15, Special::ieee};
  static constexpr SmallFloat kE4M3{4, 3, 7, Special::fn};
  static constexpr SmallFloat kE4M3Uz{4, 3, 8, Special::fnuz};
  static constexpr SmallFloat kE5M2{5, 2, 15, Special::ieee};
  static constexpr SmallFloat kE5M2Uz{5, 2, 16, Special::fnuz};
  static constexpr SmallFloat kE2M1{2, 1, 1, Special::none};
  static constexpr SmallFloat kE2M3{2, 3, 1, Special::none};
  static constexpr SmallFloat kE3M2{3, 2, 3, Special::none};
  switch (type) {
    case DataType::float16:
      return &kHalf;
    case DataType::float8e4m3fn:
      return &kE4M3;
    case DataType::float8e4m3fnuz:
      return &kE4M3Uz;
    case DataType::float8e5m2:
      return &kE5M2;
    case DataType::float8e5m2fnuz:
      return &kE5M2Uz;
    case DataType::float4e2m1:
      return &kE2M1;
    case DataType::float6e2m3:
      return &kE2M3;
    case DataType::float6e3m2:
      return &kE3M2;
    default:
      return nullptr;
  }
}

}  // namespace trtcheck
