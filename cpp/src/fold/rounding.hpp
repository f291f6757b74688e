// Numbers to the bits of floating point types of 16 bits and less.
#pragma once

#include <cstdint>

#include <trtcheck/model.hpp>

namespace trtcheck::fold {

enum class Overflow : std::uint8_t {
  special,   ///< infinity, or NaN where the type has none
  saturate,  ///< the largest number
};

/// Nearest, ties to even. @pre FLOAT16, BFLOAT16, or one of the 8-, 6- and 4-bit types but FLOAT8E8M0
[[nodiscard]] std::uint32_t encode(DataType type, double x, Overflow overflow = Overflow::special);

/// The number of these bits. @pre as encode, or FLOAT8E8M0
[[nodiscard]] double decode(DataType type, std::uint32_t bits);

enum class Round : std::uint8_t { up, down, nearest };
/// A power of two: ONNX's Cast to FLOAT8E8M0.
[[nodiscard]] std::uint32_t encode_e8m0(float x, Round round, Overflow overflow);

}  // namespace trtcheck::fold
