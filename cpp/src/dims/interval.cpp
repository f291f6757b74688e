#include "dims/interval.hpp"

#include <algorithm>

#include "dims/checked.hpp"

namespace trtcheck::dims {

namespace {

__extension__ using Wide = __int128;

// Finite bounds stay within +-2^62, so that a sum of two always fits in 64 bits.
constexpr std::int64_t kFar = std::int64_t{1} << 62;

std::int64_t as_low(Wide value) noexcept {
  if (value < -Wide{kFar}) return Interval::kMin;
  return static_cast<std::int64_t>(std::min(value, Wide{kFar}));
}

std::int64_t as_high(Wide value) noexcept {
  if (value > Wide{kFar}) return Interval::kMax;
  return static_cast<std::int64_t>(std::max(value, -Wide{kFar}));
}

bool is_infinite(std::int64_t bound) noexcept { return bound == Interval::kMin || bound == Interval::kMax; }

// Infinity times zero is zero here: the factor that is zero makes every member of the product zero.
Wide times(std::int64_t a, std::int64_t b) noexcept {
  if (a == 0 || b == 0) return 0;
  if (is_infinite(a) || is_infinite(b)) return (a < 0) == (b < 0) ? Wide{kFar} * 4 : Wide{kFar} * -4;
  return Wide{a} * Wide{b};
}

}  // namespace

Interval sum(Interval a, Interval b) noexcept {
  Interval out;
  if (a.low != Interval::kMin && b.low != Interval::kMin) out.low = as_low(Wide{a.low} + Wide{b.low});
  if (a.high != Interval::kMax && b.high != Interval::kMax) out.high = as_high(Wide{a.high} + Wide{b.high});
  return out;
}

Interval product(Interval a, Interval b) noexcept {
  const auto [low, high] =
      std::minmax({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
  return {as_low(low), as_high(high)};
}

Interval scaled(Interval a, std::int64_t factor) noexcept { return product(a, {factor, factor}); }

Interval power(Interval a, std::uint32_t exponent) noexcept {
  Interval out{1, 1};
  for (std::uint32_t i = 0; i < exponent; ++i) out = product(out, a);
  // Of a number of which nothing is known the square may not fit, and begins at the least number again.
  if ((exponent & 1U) == 0 && out.low < 0 && a != Interval{}) out.low = 0;
  return out;
}

Interval floor_quotient(Interval a, Interval b) noexcept {
  Interval out;
  const std::int64_t widest = b.high;
  if (a.low != Interval::kMin) {
    if (a.low < 0) {
      out.low = int_floor_div(a.low, b.low);
    } else {
      out.low = widest == Interval::kMax ? 0 : int_floor_div(a.low, widest);
    }
  }
  if (a.high != Interval::kMax) {
    if (a.high >= 0) {
      out.high = int_floor_div(a.high, b.low);
    } else {
      out.high = widest == Interval::kMax ? -1 : int_floor_div(a.high, widest);
    }
  }
  return out;
}

Interval divided_inwards(Interval a, std::int64_t k) noexcept {
  return {a.low == Interval::kMin ? a.low : int_ceil_div(a.low, k),
          a.high == Interval::kMax ? a.high : int_floor_div(a.high, k)};
}

Interval hull(Interval a, Interval b) noexcept { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

Interval intersection(Interval a, Interval b) noexcept {
  const Interval out{std::max(a.low, b.low), std::min(a.high, b.high)};
  return out.low <= out.high ? out : a;
}

Interval minimum(Interval a, Interval b) noexcept { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }

Interval maximum(Interval a, Interval b) noexcept { return {std::max(a.low, b.low), std::max(a.high, b.high)}; }

}  // namespace trtcheck::dims
