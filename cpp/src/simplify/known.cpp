#include "simplify/known.hpp"

#include <algorithm>

#include "cure/numbers.hpp"
#include "fold/exact.hpp"
#include "fold/families.hpp"
#include "model/graphs.hpp"
#include "view/extents.hpp"

namespace trtcheck::simplifying {
namespace {

Budget budget() {
  Budget budget;
  budget.elements = kMostElements;
  budget.total = std::int64_t{1} << 22;
  budget.nodes = 1'000'000;
  budget.steps = std::int64_t{1} << 28;
  return budget;
}

bool is_quantizer(const Node& node) { return node.op_type == "QuantizeLinear" || node.op_type == "DequantizeLinear"; }

/// Whole numbers, which inference follows exactly.
bool are_literal(const ValueShape& shape) {
  const bool is_whole =
      shape.type == DataType::int64 || shape.type == DataType::int32 || shape.type == DataType::boolean;
  return is_whole && holds_numbers(shape);
}

}  // namespace

Known::Known(const Model& model, const Shapes& shapes, bool rounds)
    : model_(&model),
      shapes_(&shapes),
      rounds_(rounds),
      folder_(model, shapes, budget()),
      is_folded_(model.value_count()) {}

bool Known::is_stored_small(ValueId value) const {
  const Value& stored = model_->value(value);
  if (!stored.initializer || model_->constant(value) != stored.initializer) return false;
  const Tensor& tensor = model_->tensor(stored.initializer);
  const std::optional<std::int64_t> count = tensor.element_count();
  return !tensor.is_sparse && count && *count <= kMostElements && tensor.data != Tensor::Data::external;
}

bool Known::is_settled(ValueId value) const { return is_folded_[value.index] || is_stored_small(value); }

bool Known::may_fold(const Node& node) const {
  if (!node.domain().empty() || node.call() || fold::find_row(node.op_type) == nullptr) return false;
  const auto is_exact = [&](ValueId value) {
    return !value || rounds_ || fold::is_exact(node.op_type, (*shapes_)[value].type);
  };
  return std::ranges::all_of(node.inputs, [&](ValueId input) { return !input || is_settled(input); }) &&
         std::ranges::all_of(node.inputs, is_exact) && std::ranges::all_of(node.outputs, is_exact);
}

void Known::learn(NodeId id) {
  const Node& node = model_->node(id);
  if (is_quantizer(node) || has_graphs(node) || node.call()) return;
  const bool may = may_fold(node);
  for (const ValueId output : node.outputs) {
    if (!output || (!may && !are_literal((*shapes_)[output]))) continue;
    std::optional<Constant> made = folder_.value(output);
    if (!made) continue;
    is_folded_[output.index] = true;
    contents_.emplace(output.index, std::move(made));
  }
}

const Constant* Known::contents(ValueId value) {
  if (!value) return nullptr;
  const auto known = contents_.find(value.index);
  if (known != contents_.end()) return known->second ? &*known->second : nullptr;
  if (!is_stored_small(value)) return nullptr;
  const auto& made = contents_.emplace(value.index, folder_.value(value)).first->second;
  return made ? &*made : nullptr;
}

std::optional<std::vector<std::int64_t>> Known::ints(ValueId value) {
  const Constant* constant = contents(value);
  return constant == nullptr ? std::nullopt : cure::whole_numbers(*constant);
}

std::optional<std::span<const Dim>> Known::sizes(ValueId value) const {
  const ValueShape& shape = (*shapes_)[value];
  if (!value || !shape.is_known || !has_shape(value)) return std::nullopt;
  if (shape.type != DataType::int64 && shape.type != DataType::int32) return std::nullopt;
  if (!std::ranges::all_of(shape.known, [&](Dim dim) { return dims().is_exact(dim); })) return std::nullopt;
  return shape.known;
}

bool Known::has_type(ValueId value) const noexcept {
  const ValueShape& shape = (*shapes_)[value];
  return value && shape.kind == ValueShape::Kind::tensor && shape.type != DataType::undefined && !shape.type_assumed;
}

bool Known::has_shape(ValueId value) const noexcept {
  const ValueShape& shape = (*shapes_)[value];
  return has_type(value) && shape.has_rank && !shape.assumed && !shape.differs;
}

bool Known::are_alike(ValueId a, ValueId b) const noexcept {
  if (!has_shape(a) || !has_shape(b) || (*shapes_)[a].type != (*shapes_)[b].type) return false;
  return std::ranges::equal((*shapes_)[a].dims, (*shapes_)[b].dims, [](Dim x, Dim y) { return x.same(y); });
}

bool Known::is_read(ValueId value) const noexcept {
  const Value& known = model_->value(value);
  return value && (!known.users.empty() || known.is_output);
}

}  // namespace trtcheck::simplifying
