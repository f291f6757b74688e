// The operator table: which shape function serves {domain, op} from which opset version on.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

/// The row with the largest `since` that is not above `opset`; nullptr when there is none.
[[nodiscard]] const OpRow* find_op(std::string_view domain, std::string_view op, std::int64_t opset) noexcept;

/// The row of an operator that its domain does not have: a plugin of TensorRT, or one that ONNX Runtime keeps in the
/// domain of ONNX; nullptr when it is neither.
[[nodiscard]] const OpRow* find_by_name(std::string_view domain, std::string_view op) noexcept;

/// All rows, sorted by domain, op and since.
[[nodiscard]] std::span<const OpRow> op_table() noexcept;

}  // namespace trtcheck::shapes
