// What becomes of stored FLOAT tensors in FLOAT16 and BFLOAT16. Looks at every element once, at the speed of memory.
#pragma once

#include <cstdint>
#include <optional>

#include <trtcheck/model.hpp>

namespace trtcheck {

/// Counts of elements.
struct HalfScan {
  std::uint64_t elements = 0;
  std::uint64_t too_large = 0;   ///< finite, and infinite in FLOAT16
  std::uint64_t to_zero = 0;     ///< other than 0, and 0 in FLOAT16
  std::uint64_t subnormal = 0;   ///< neither 0 nor of full precision in FLOAT16
  std::uint64_t not_finite = 0;  ///< infinite or NaN as they are stored
  float largest = 0;             ///< magnitude of the largest that is too large
  /// Of `too_large` those that are infinite in BFLOAT16, too.
  std::uint64_t too_large_for_bfloat16 = 0;
};

/// Nothing: no FLOAT tensor, data that cannot be read, or more than kMostElements numbers that are not stored as raw
/// bytes.
[[nodiscard]] std::optional<HalfScan> scan_for_half(const Model& model, const Tensor& tensor);

}  // namespace trtcheck
