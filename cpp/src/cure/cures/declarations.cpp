#include "cure/cures/declarations.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "edit/declared_dim.hpp"
#include "fold/array.hpp"
#include "fold/call.hpp"
#include "model/weight_parts.hpp"

namespace trtcheck::cure {

edit::TypeValue declaration(const Draft& draft, ValueId id, DataType element) {
  edit::TypeValue made{.type = element, .dims = std::nullopt};
  const Type& type = draft.model().type(draft.model().value(id).declared);
  const ValueShape& shape = draft.shapes()[id];
  if (type.kind == Type::Kind::tensor && type.has_shape) {
    made.dims.emplace();
    for (const DeclaredDim& dim : type.dims) made.dims->push_back(edit::as_declared(dim));
  } else if (shape.has_rank) {
    made.dims.emplace();
    for (const Dim dim : shape.dims) {
      edit::DimValue& one = made.dims->emplace_back();
      if (dim.is_literal()) one = dim.value();
    }
  }
  return made;
}

bool is_fed_shape(const Draft& draft, ValueId input) {
  constexpr std::string_view kReadShapes[] = {"Expand", "Slice", "Tile"};
  if (std::ranges::find(kReadShapes, draft.node().op_type) == std::end(kReadShapes)) return false;
  const auto type = draft.type(input);
  const bool is_data = input == draft.node().input(0);
  return !is_data && draft.model().is_network_input(input) && type != DataType::int32 && type != DataType::int64;
}

std::optional<Constant> tensor_contents(const Model& model, TensorId id) {
  constexpr std::int64_t kMost = std::int64_t{1} << 28;
  if (!id) return std::nullopt;
  const Tensor& tensor = model.tensor(id);
  const auto count = tensor.element_count();
  if (!count || *count > kMost || tensor.is_sparse) return std::nullopt;
  if (tensor.data == Tensor::Data::raw || tensor.data == Tensor::Data::external) {
    auto bytes = all_bytes(model, tensor);
    if (!bytes) return std::nullopt;
    return Constant{.type = tensor.type, .dims = {tensor.dims.begin(), tensor.dims.end()}, .bytes = std::move(*bytes)};
  }
  try {
    const fold::Left left{.elements = kMost, .total = kMost, .nodes = 1, .steps = kMost};
    return fold::packed(fold::read_constant(model, id, left));
  } catch (const fold::Unfolded&) {
    return std::nullopt;
  }
}

edit::TensorValue tensor_value(const Constant& constant) {
  return {.type = constant.type,
          .dims = constant.dims,
          .bytes = std::string(reinterpret_cast<const char*>(constant.bytes.data()), constant.bytes.size())};
}

}  // namespace trtcheck::cure
