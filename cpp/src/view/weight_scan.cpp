#include "view/weight_scan.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "model/tensor_values.hpp"
#include "model/weight_parts.hpp"

namespace trtcheck {
namespace {

constexpr std::uint32_t kMagnitude = 0x7fffffffU;
constexpr std::int32_t kInfinity = 0x7f800000;

/// Magnitudes of floats compare as their bits do, which the compiler turns into vector instructions; comparisons of
/// floats, which NaN upsets, it does not.
std::int32_t magnitude_at(const std::byte* bytes, std::size_t index) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, bytes + index * sizeof(bits), sizeof(bits));
  return static_cast<std::int32_t>(bits & kMagnitude);
}

/// 1 or 0, of numbers that are not negative. Written as a comparison it becomes branches: one of the questions below
/// answers another.
std::int32_t is_below(std::int32_t a, std::int32_t b) { return -((a - b) >> 31); }

/// 65,504 is the largest number, 65,520 the first that rounds to infinity.
constexpr auto kLargest = std::bit_cast<std::int32_t>(65519.996F);
/// 2^-25, which rounds to 0.
constexpr auto kUnderflow = std::bit_cast<std::int32_t>(2.98023223876953125e-08F);
/// 2^-14 - 2^-25, the first that rounds to 2^-14, the smallest number with all digits.
constexpr auto kNormal = std::bit_cast<std::int32_t>(6.103515625e-05F - 2.98023223876953125e-08F);
/// The first that rounds to infinity in BFLOAT16: its largest number and half a step.
constexpr std::int32_t kInfiniteInBfloat16 = 0x7f7f8000;

/// Counters of 32 bits, for as many elements as they can count.
struct Counts {
  std::int32_t above = 0;       ///< too large, infinite or NaN
  std::int32_t not_normal = 0;  ///< `underflow` among them
  std::int32_t underflow = 0;   ///< `zero` among them
  std::int32_t zero = 0;
};

Counts count(const std::byte* bytes, std::size_t elements) {
  std::int32_t above = 0;
  std::int32_t not_normal = 0;
  std::int32_t underflow = 0;
  std::int32_t zero = 0;
  for (std::size_t i = 0; i < elements; ++i) {
    const std::int32_t magnitude = magnitude_at(bytes, i);
    above += is_below(kLargest, magnitude);
    not_normal += is_below(magnitude, kNormal);
    underflow += is_below(magnitude, kUnderflow + 1);
    zero += is_below(magnitude, 1);
  }
  return {above, not_normal, underflow, zero};
}

/// Rarely needed: what is above, one by one.
void look_closer(const std::byte* bytes, std::size_t elements, HalfScan& scan) {
  for (std::size_t i = 0; i < elements; ++i) {
    const std::int32_t magnitude = magnitude_at(bytes, i);
    if (magnitude <= kLargest) continue;
    if (magnitude >= kInfinity) {
      ++scan.not_finite;
    } else {
      ++scan.too_large;
      if (magnitude >= kInfiniteInBfloat16) ++scan.too_large_for_bfloat16;
      scan.largest = std::max(scan.largest, std::bit_cast<float>(magnitude));
    }
  }
}

}  // namespace

std::optional<HalfScan> scan_for_half(const Model& model, const Tensor& tensor) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 14;
  if (tensor.type != DataType::float32) return std::nullopt;
  HalfScan scan;
  const auto look_at = [&](std::span<const std::byte> part) {
    for (std::size_t at = 0; at < part.size(); at += kAtOnce * sizeof(float)) {
      const std::size_t elements = std::min(kAtOnce, (part.size() - at) / sizeof(float));
      const Counts counts = count(part.data() + at, elements);
      scan.elements += elements;
      scan.to_zero += static_cast<std::uint64_t>(counts.underflow - counts.zero);
      scan.subnormal += static_cast<std::uint64_t>(counts.not_normal - counts.underflow);
      if (counts.above > 0) look_closer(part.data() + at, elements, scan);
    }
  };
  if (tensor.data == Tensor::Data::typed) {
    const auto values = decode_floats(model, tensor, kMostElements);
    if (!values) return std::nullopt;
    const std::vector<float> floats(values->begin(), values->end());
    look_at(std::as_bytes(std::span(floats)));
  } else if (!each_part(model, tensor, look_at)) {
    return std::nullopt;
  }
  return scan;
}

}  // namespace trtcheck
