// The operators, a table for each family; who adds one writes a function and a row in its family's file.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "fold/call.hpp"

namespace trtcheck::fold {

[[nodiscard]] std::span<const Row> unary_rows() noexcept;      ///< one tensor, element by element
[[nodiscard]] std::span<const Row> binary_rows() noexcept;     ///< two and more, broadcast
[[nodiscard]] std::span<const Row> logic_rows() noexcept;      ///< comparisons, logic, bits
[[nodiscard]] std::span<const Row> cast_rows() noexcept;       ///< types
[[nodiscard]] std::span<const Row> making_rows() noexcept;     ///< tensors out of sizes
[[nodiscard]] std::span<const Row> movement_rows() noexcept;   ///< the same elements in other places
[[nodiscard]] std::span<const Row> slicing_rows() noexcept;    ///< parts, copies and borders
[[nodiscard]] std::span<const Row> indexing_rows() noexcept;   ///< elements by index
[[nodiscard]] std::span<const Row> selecting_rows() noexcept;  ///< elements by their value
[[nodiscard]] std::span<const Row> reduction_rows() noexcept;  ///< along axes
[[nodiscard]] std::span<const Row> running_rows() noexcept;    ///< along axes, a result for each element
[[nodiscard]] std::span<const Row> matrix_rows() noexcept;     ///< products
[[nodiscard]] std::span<const Row> quantize_rows() noexcept;   ///< scales and zero points
[[nodiscard]] std::span<const Row> inference_rows() noexcept;  ///< layers of training that inference makes simple

/// Of all rows, in no order. If is the one operator without a row: Folder follows its branch.
[[nodiscard]] std::vector<std::string_view> operators();
/// nullptr: nobody evaluates it.
[[nodiscard]] const Row* find_row(std::string_view op);

}  // namespace trtcheck::fold
