// Stored floating point numbers that are none. Looks at every element once, at the speed of memory.
#pragma once

#include <cstdint>
#include <optional>

#include <trtcheck/model.hpp>

namespace trtcheck {

/// Counts of elements.
struct NumberScan {
  std::uint64_t elements = 0;
  std::uint64_t nans = 0;
  std::uint64_t infinite = 0;
};

/// Of FLOAT, FLOAT16, BFLOAT16 and DOUBLE. Nothing: another type, data that cannot be read, or more than kMostElements
/// numbers that are not stored as raw bytes.
[[nodiscard]] std::optional<NumberScan> scan_numbers(const Model& model, const Tensor& tensor);

}  // namespace trtcheck
