// Contents of small constant tensors as dims. Private to this floor.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <trtcheck/dim.hpp>
#include <trtcheck/model.hpp>

namespace trtcheck::shapes {

struct InferState;

/// Contents of more elements are not followed.
inline constexpr std::size_t kMaxKnown = 4096;
/// Shapes, axes, pads: contents up to here are always followed.
inline constexpr std::size_t kShortContents = 64;

[[nodiscard]] constexpr bool is_float(DataType type) noexcept {
  return type == DataType::float32 || type == DataType::float64 || type == DataType::float16 ||
         type == DataType::bfloat16;
}
[[nodiscard]] constexpr bool is_integer(DataType type) noexcept {
  switch (type) {
    case DataType::uint8:
    case DataType::int8:
    case DataType::uint16:
    case DataType::int16:
    case DataType::int32:
    case DataType::int64:
    case DataType::uint32:
    case DataType::uint64:
      return true;
    default:
      return false;
  }
}
[[nodiscard]] constexpr bool is_countable(DataType type) noexcept {
  return is_integer(type) || type == DataType::boolean;
}

/// A number from the file as a dim. Beyond +-2^60 only its sign and order of size are followed.
[[nodiscard]] Dim content_dim(InferState& state, std::int64_t value);

/// A number of a float tensor; nothing for NaN, infinities, and what is too large or too fine to follow.
[[nodiscard]] std::optional<Dim> float_dim(InferState& state, double value);

/// At most kMaxKnown elements of any integer or boolean type; nothing when they cannot be read.
[[nodiscard]] std::optional<std::vector<std::int64_t>> integer_contents(InferState& state, TensorId id);
/// The same for floating point types (integers are converted).
[[nodiscard]] std::optional<std::vector<double>> float_contents(InferState& state, TensorId id);

/// Either of them as dims.
[[nodiscard]] std::optional<std::vector<Dim>> contents_as_dims(InferState& state, TensorId id, DataType type);

}  // namespace trtcheck::shapes
