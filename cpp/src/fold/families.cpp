#include "fold/families.hpp"

#include <string_view>
#include <unordered_map>

namespace trtcheck::fold {
namespace {

using Table = std::unordered_map<std::string_view, const Row*>;

Table all_rows() {
  Table table;
  for (const auto rows : {unary_rows, binary_rows, cast_rows, making_rows, movement_rows, slicing_rows, indexing_rows,
                          selecting_rows, reduction_rows, matrix_rows, quantize_rows, inference_rows}) {
    for (const Row& row : rows()) table.emplace(row.op, &row);
  }
  return table;
}

}  // namespace

const Row* find_row(std::string_view op) noexcept {
  static const Table table = all_rows();
  const auto found = table.find(op);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace trtcheck::fold
