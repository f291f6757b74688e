// Whether everybody who evaluates an operator gets the same bits.
#pragma once

#include <string_view>

#include <trtcheck/model.hpp>

namespace trtcheck::fold {

/// What ONNX and IEEE 754 define for this type bit for bit: whole numbers, data that is moved, + - * / sqrt and the
/// like. Not so sums of many real numbers, whose order is free, nor exp and its like.
[[nodiscard]] bool is_exact(std::string_view op, DataType type) noexcept;

}  // namespace trtcheck::fold
