#include "view/size_arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "schema/kinds.hpp"
#include "view/extents.hpp"

namespace trtcheck {
namespace {

constexpr std::size_t kMostSteps = 256;

bool is_half(DataType type) { return type == DataType::float16 || type == DataType::bfloat16; }

bool varies(const ModelView& view, ValueId id) {
  if (!id || view.shapes.folds_to_constant(id) || !view.shape(id).is_known) return false;
  return std::ranges::any_of(view.shape(id).known,
                             [&](Dim dim) { return !dim.is_literal() && view.dims().is_exact(dim); });
}

/// What one symbol more adds, where that is the same everywhere.
std::optional<std::int64_t> slope(const DimTable& dims, Dim dim, std::string_view symbol) {
  std::array<std::int64_t, 3> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const DimTable::Binding binding{symbol, static_cast<std::int64_t>(1001 + i)};
    const auto value = dims.evaluate(dim, std::span(&binding, 1));
    if (!value) return std::nullopt;
    values[i] = *value;
  }
  if (values[1] - values[0] != values[2] - values[1]) return std::nullopt;
  return values[1] - values[0];
}

/// Of two symbols, or several times one.
bool is_multiple(const ModelView& view, ValueId id) {
  const DimTable& dims = view.dims();
  return std::ranges::any_of(view.shape(id).known, [&](Dim dim) {
    if (dim.is_literal() || !dims.is_exact(dim)) return false;
    const auto symbols = dims.symbols(dim);
    if (symbols.size() != 1) return symbols.size() > 1;
    const auto found = slope(dims, dim, symbols.front());
    return found && *found != 0 && *found != 1;
  });
}

bool is_half_cast(const ModelView& view, const Node& node) {
  return node.op_type == "Cast" && node.output(0) && is_half(view.shape(node.output(0)).type) &&
         varies(view, view.parser.argument(node.input(0)));
}

bool is_half_arithmetic(const ModelView& view, const Node& node) {
  if (!node.output(0) || !is_half(view.shape(node.output(0)).type)) return false;
  if (node.op_type == "Cast") return is_half_cast(view, node) && is_multiple(view, view.parser.argument(node.input(0)));
  if (!is_a(node.op_type, kinds::not_in_half_as_size)) return false;
  return std::ranges::any_of(node.inputs, [&](ValueId input) { return varies(view, view.parser.argument(input)); });
}

}  // namespace

SizeArithmetic size_arithmetic(const ModelView& view, ValueId size) {
  const Model& model = view.model;
  SizeArithmetic found;
  struct Step {
    ValueId id;
    bool is_of_number;  ///< what is computed from it does not vary any more
  };
  std::vector<Step> queue{{size, false}};
  std::unordered_set<std::uint32_t> seen;
  for (std::size_t next = 0; next < queue.size() && next < kMostSteps; ++next) {
    const ValueId id = view.parser.argument(queue[next].id);
    if (!id || !seen.insert(id.index).second || model.constant(id)) continue;
    const NodeId producer = producer_of(model, id);
    if (!producer) continue;
    const Node& node = model.node(producer);
    if (node.op_type == "Shape" || node.op_type == "Size") {
      found.is_claimed = found.is_claimed || (node.input(0) && view.shape(node.input(0)).assumed);
      continue;
    }
    if (node.call()) continue;
    const ValueShape& shape = view.shape(id);
    // What a ScatterND writes over does not matter.
    const bool is_of_number = queue[next].is_of_number || view.shapes.folds_to_constant(id) || holds_numbers(shape) ||
                              node.op_type == "ScatterND";
    if (node.op_type == "Where" && shape.has_rank && shape.rank() > 1) found.has_matrix_where = true;
    if (!is_of_number && is_half_arithmetic(view, node)) found.has_half = true;
    if (!is_of_number && is_half_cast(view, node)) found.has_half_cast = true;
    const bool has_places = is_a(node.op_type, kinds::reads_places);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (!has_places || i != 1) queue.push_back({node.inputs[i], is_of_number});
    }
  }
  return found;
}

}  // namespace trtcheck
