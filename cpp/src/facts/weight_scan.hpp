// Magnitudes of stored FLOAT tensors against a type of fewer bits. Looks at every element once, at the speed of memory.
#pragma once

#include <cstdint>
#include <optional>

#include <trtcheck/model.hpp>

namespace trtcheck {

/// What a floating point type of fewer bits can hold, as magnitudes in FLOAT.
struct NarrowType {
  DataType type = DataType::float16;
  float largest = 0;    ///< what is above rounds to infinity (or to the largest, in types without infinity)
  float underflow = 0;  ///< what is below or equal rounds to 0
};
/// FLOAT16: 65,504 is the largest number, 65,520 the first that rounds to infinity; 2^-25 rounds to 0.
inline constexpr NarrowType kHalf{DataType::float16, 65519.996F, 2.98023223876953125e-08F};

/// Counts of elements.
struct WeightScan {
  std::uint64_t elements = 0;
  std::uint64_t too_large = 0;   ///< finite, and infinite in the other type
  std::uint64_t to_zero = 0;     ///< other than 0, and 0 in the other type
  std::uint64_t not_finite = 0;  ///< infinite or NaN as they are stored
  float largest = 0;             ///< magnitude of the largest that is too large
};

/// Nothing: no FLOAT tensor, data that cannot be read, or more than kMostElements numbers that are not stored as raw
/// bytes.
[[nodiscard]] std::optional<WeightScan> scan_weights(const Model& model, const Tensor& tensor, const NarrowType& type);

}  // namespace trtcheck
