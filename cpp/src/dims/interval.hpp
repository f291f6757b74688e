// Interval arithmetic on Interval, saturating in the sound direction.
#pragma once

#include <cstdint>

#include <trtcheck/dim.hpp>

namespace trtcheck::dims {

[[nodiscard]] Interval sum(Interval a, Interval b) noexcept;
[[nodiscard]] Interval product(Interval a, Interval b) noexcept;
[[nodiscard]] Interval scaled(Interval a, std::int64_t factor) noexcept;
[[nodiscard]] Interval power(Interval a, std::uint32_t exponent) noexcept;
/// floor(a / b). @pre b.low >= 1
[[nodiscard]] Interval floor_quotient(Interval a, Interval b) noexcept;
/// Integers x with k * x in a. @pre k >= 1
[[nodiscard]] Interval divided_inwards(Interval a, std::int64_t k) noexcept;
[[nodiscard]] Interval hull(Interval a, Interval b) noexcept;
/// The common part; `a` when there is none (an infeasible model proves nothing).
[[nodiscard]] Interval intersection(Interval a, Interval b) noexcept;
[[nodiscard]] Interval minimum(Interval a, Interval b) noexcept;
[[nodiscard]] Interval maximum(Interval a, Interval b) noexcept;

}  // namespace trtcheck::dims
