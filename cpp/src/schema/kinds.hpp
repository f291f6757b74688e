// What kinds of operators there are: cpp/data/operators.toml, the only place that lists operators by what they are
// like.
//
//     if (is_a(node.op_type, kinds::pool)) ...
//     .ops = kinds::convolution.operators
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace trtcheck {

struct OperatorKind {
  unsigned index = 0;
  std::string_view name;
  std::string_view what;
  std::string_view source;                      ///< "" = ONNX's definition of the operators
  std::span<const std::string_view> operators;  ///< sorted
};

/// One bit each, the lowest first.
using KindMask = std::array<std::uint64_t, 2>;

struct KindsOfOperator {
  std::string_view op_type;
  KindMask kinds{};
};

namespace kinds {
#include "operators.inc"
}  // namespace kinds

/// The kinds of an operator, whatever its domain is, as TensorRT's parser has it.
[[nodiscard]] KindMask kinds_of(std::string_view op_type) noexcept;

[[nodiscard]] inline bool is_a(std::string_view op_type, const OperatorKind& kind) noexcept {
  return ((kinds_of(op_type)[kind.index / 64] >> (kind.index % 64)) & 1U) != 0;
}

}  // namespace trtcheck
