// How far stored weights reach in each channel. Looks at every element once, part by part.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck {

/// The largest magnitude in each slice of a FLOAT, FLOAT16 or INT8 tensor along an axis; infinite where one is infinite
/// or NaN. Nothing: another type, a negative dim, no elements, data that cannot be read, or more than kMostElements
/// numbers that are not stored as raw bytes.
/// @pre axis < tensor.dims.size()
[[nodiscard]] std::optional<std::vector<float>> largest_along(const Model& model, const Tensor& tensor,
                                                              std::size_t axis);

}  // namespace trtcheck
