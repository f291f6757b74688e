// Which constants somebody may ask the numbers of: what is fetched, and what can stay where it is.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model_data.hpp"
#include "model/tensor_values.hpp"

namespace trtcheck {

/// The payload of as many elements as may be asked for.
inline constexpr std::uint64_t kLargestValues = static_cast<std::uint64_t>(kMostElements) * 8;

enum class Asked : std::uint8_t {
  never,     ///< weights: their shape is all that counts
  if_short,  ///< up to kShort bytes
  if_small,  ///< up to kMostElements
};

/// Of all but scales and zero points nobody asks for the numbers of more elements.
inline constexpr std::int64_t kFewElements = 8'192;
inline constexpr std::uint64_t kShort = static_cast<std::uint64_t>(kFewElements) * 8;

/// By index of the tensor.
std::vector<Asked> asked_of(const ModelData& data);

}  // namespace trtcheck
