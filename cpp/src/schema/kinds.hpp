// What kinds of operators there are: cpp/data/operators.toml, the only place that lists operators by what they are
// like.
//
//     if (is_a(node.op_type, kinds::pool)) ...
//     .ops = kinds::convolution.operators
#pragma once

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

struct KindsOfOperator {
  std::string_view op_type;
  std::uint64_t kinds = 0;  ///< one bit each
};

namespace kinds {
#include "operators.inc"
}  // namespace kinds

/// The kinds of an operator, one bit each; whatever its domain is, as TensorRT's parser has it.
[[nodiscard]] std::uint64_t kinds_of(std::string_view op_type) noexcept;

[[nodiscard]] inline bool is_a(std::string_view op_type, const OperatorKind& kind) noexcept {
  return ((kinds_of(op_type) >> kind.index) & 1U) != 0;
}

}  // namespace trtcheck
