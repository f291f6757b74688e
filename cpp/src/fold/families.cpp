#include "fold/families.hpp"

#include <string_view>
#include <unordered_map>

namespace trtcheck::fold {
namespace {

using Table = std::unordered_map<std::string_view, const Row*>;

Table all_rows() {
  Table table;
  for (const auto rows :
       {unary_rows, binary_rows, logic_rows, cast_rows, making_rows, movement_rows, slicing_rows, indexing_rows,
        selecting_rows, reduction_rows, running_rows, matrix_rows, quantize_rows, inference_rows}) {
    for (const Row& row : rows()) table.emplace(row.op, &row);
  }
  return table;
}

const Table& table() {
  static const Table rows = all_rows();
  return rows;
}

}  // namespace

std::vector<std::string_view> operators() {
  std::vector<std::string_view> names;
  for (const auto& [name, row] : table()) names.push_back(name);
  return names;
}

const Row* find_row(std::string_view op) {
  const auto found = table().find(op);
  return found == table().end() ? nullptr : found->second;
}

}  // namespace trtcheck::fold
