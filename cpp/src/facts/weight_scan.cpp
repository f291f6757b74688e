#include "facts/weight_scan.hpp"

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
constexpr std::uint32_t kInfinity = 0x7f800000U;

/// Magnitudes of floats compare as their bits do, which the compiler turns into vector instructions; comparisons of
/// floats, which NaN upsets, it does not.
struct Bounds {
  std::int32_t largest;
  std::int32_t smallest;
  std::int32_t underflow;

  explicit Bounds(const NarrowType& type)
      : largest(std::bit_cast<std::int32_t>(type.largest)),
        smallest(std::bit_cast<std::int32_t>(type.smallest)),
        underflow(std::bit_cast<std::int32_t>(type.underflow)) {}
};

/// Counters of 32 bits, for as many elements as they can count.
struct Counts {
  std::int32_t too_large = 0;
  std::int32_t small = 0;
  std::int32_t underflow = 0;
  std::int32_t zero = 0;
  std::int32_t not_finite = 0;
  std::int32_t largest = 0;
};

Counts count(const std::byte* bytes, std::size_t elements, const Bounds& bounds) {
  Counts counts;
  for (std::size_t i = 0; i < elements; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes + i * sizeof(bits), sizeof(bits));
    const auto magnitude = static_cast<std::int32_t>(bits & kMagnitude);
    const bool is_finite = magnitude < static_cast<std::int32_t>(kInfinity);
    counts.not_finite += is_finite ? 0 : 1;
    counts.too_large += magnitude > bounds.largest ? 1 : 0;
    counts.small += magnitude < bounds.smallest ? 1 : 0;
    counts.underflow += magnitude <= bounds.underflow ? 1 : 0;
    counts.zero += magnitude == 0 ? 1 : 0;
    counts.largest = std::max(counts.largest, is_finite ? magnitude : 0);
  }
  return counts;
}

}  // namespace

std::optional<WeightScan> scan_weights(const Model& model, const Tensor& tensor, const NarrowType& type) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 18;
  if (tensor.type != DataType::float32) return std::nullopt;
  const Bounds bounds(type);
  WeightScan scan;
  std::int32_t largest = 0;
  const auto look_at = [&](std::span<const std::byte> part) {
    for (std::size_t at = 0; at < part.size(); at += kAtOnce * sizeof(float)) {
      const std::size_t elements = std::min(kAtOnce, (part.size() - at) / sizeof(float));
      const Counts counts = count(part.data() + at, elements, bounds);
      const auto add = [](std::uint64_t& sum, std::int32_t number) { sum += static_cast<std::uint64_t>(number); };
      scan.elements += elements;
      add(scan.not_finite, counts.not_finite);
      add(scan.too_large, counts.too_large - counts.not_finite);
      add(scan.to_zero, counts.underflow - counts.zero);
      add(scan.subnormal, counts.small - counts.underflow);
      largest = std::max(largest, counts.largest);
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
  scan.largest = std::bit_cast<float>(largest);
  return scan;
}

}  // namespace trtcheck
