#include "view/number_scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <type_traits>

#include "model/tensor_values.hpp"
#include "model/weight_parts.hpp"

namespace trtcheck {
namespace {

/// Bits of numbers of this width: all exponent bits are set in what is infinite or NaN, and a NaN has others besides.
template <class Bits>
void add_part(std::span<const std::byte> part, Bits infinity, NumberScan& scan) {
  using Signed = std::make_signed_t<Bits>;               // whose comparisons become vector instructions
  constexpr std::size_t kAtOnce = std::size_t{1} << 14;  // that every Signed can count
  const auto magnitude = static_cast<Bits>(static_cast<Bits>(~Bits{0}) >> 1U);
  const auto at = [&](std::size_t index) {
    Bits bits = 0;
    std::memcpy(&bits, part.data() + index * sizeof(Bits), sizeof(Bits));
    return static_cast<Signed>(bits & magnitude);
  };
  const auto limit = static_cast<Signed>(infinity);
  const std::size_t count = part.size() / sizeof(Bits);
  scan.elements += count;
  for (std::size_t start = 0; start < count; start += kAtOnce) {
    const std::size_t end = std::min(start + kAtOnce, count);
    Signed found = 0;
    for (std::size_t i = start; i < end; ++i) found = static_cast<Signed>(found + (at(i) >= limit ? 1 : 0));
    if (found == 0) continue;
    for (std::size_t i = start; i < end; ++i) {
      if (at(i) == limit) ++scan.infinite;
      if (at(i) > limit) ++scan.nans;
    }
  }
}

bool add_part(DataType type, std::span<const std::byte> part, NumberScan& scan) {
  switch (type) {
    case DataType::float32:
      add_part<std::uint32_t>(part, 0x7f800000U, scan);
      return true;
    case DataType::float16:
      add_part<std::uint16_t>(part, 0x7c00U, scan);
      return true;
    case DataType::bfloat16:
      add_part<std::uint16_t>(part, 0x7f80U, scan);
      return true;
    case DataType::float64:
      add_part<std::uint64_t>(part, 0x7ff0000000000000U, scan);
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<NumberScan> scan_numbers(const Model& model, const Tensor& tensor) {
  NumberScan scan;
  if (!add_part(tensor.type, {}, scan)) return std::nullopt;
  if (tensor.data == Tensor::Data::typed) {
    const auto values = decode_floats(model, tensor, kMostElements);
    if (!values) return std::nullopt;
    for (const double value : *values) {
      ++scan.elements;
      if (std::isnan(value)) ++scan.nans;
      if (std::isinf(value)) ++scan.infinite;
    }
    return scan;
  }
  const auto look_at = [&](std::span<const std::byte> part) { add_part(tensor.type, part, scan); };
  if (!each_part(model, tensor, look_at)) return std::nullopt;
  return scan;
}

}  // namespace trtcheck
