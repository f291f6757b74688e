// Numbers and the bytes in which ONNX stores them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fold/fold.hpp"

namespace trtcheck::cure {

/// Elements of an integer or BOOL tensor; nothing for other types, and for UINT64 beyond INT64.
[[nodiscard]] std::optional<std::vector<std::int64_t>> whole_numbers(const Constant& constant);
/// Elements of any numeric type but complex ones; integers beyond 2^53 are rounded.
[[nodiscard]] std::optional<std::vector<double>> real_numbers(const Constant& constant);
/// One element as raw_data has it, rounded to nearest even. @pre a type of Draft::scalar, and in its range
[[nodiscard]] std::string number_bytes(double value, DataType type);

}  // namespace trtcheck::cure
