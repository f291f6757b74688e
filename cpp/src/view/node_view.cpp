#include "view/node_view.hpp"

#include <algorithm>
#include <span>

#include "model/asked.hpp"
#include "model/walk.hpp"
#include "schema/kinds.hpp"

namespace trtcheck {
namespace {

// What any fact looks at is shorter by far.
constexpr std::int64_t kMostContents = 1024;
static_assert(kMostContents <= kFewElements, "what is asked for is fetched");

bool is_float(DataType type) {
  return type == DataType::float32 || type == DataType::float16 || type == DataType::bfloat16 ||
         type == DataType::float64;
}

/// A network input that is wanted, by its type, and that the value is computed from.
template <class IsWanted>
ValueId input_behind(const ModelView& view, ValueId value, IsWanted is_wanted) {
  const Model& model = view.model;
  constexpr std::size_t kEnough = 64;
  ValueId found;
  walk<kEnough>(view.parser.argument(value), [&](ValueId id, auto& onward) {
    if (model.constant(id)) return false;
    const ValueShape& shape = view.shapes[id];
    // With dynamic sizes it is one of the data.
    const bool is_fixed = shape.has_rank && std::ranges::all_of(shape.dims, [](Dim dim) { return dim.is_literal(); });
    if (!is_fixed) return false;
    if (model.value(id).is_input && model.value(id).graph == GraphId{0} && is_wanted(shape.type)) {
      found = id;
      return true;
    }
    const NodeId producer = producer_of(model, id);
    if (!producer || !is_a(model.node(producer).op_type, kinds::size_arithmetic)) return false;
    for (const ValueId input : model.node(producer).inputs) onward.add(view.parser.argument(input));
    return false;
  });
  return found;
}

}  // namespace

NodeId producer_of(const Model& model, ValueId value) noexcept {
  return value ? model.value(value).producer : NodeId{};
}

std::span<const Use> readers_of(const Model& model, ValueId value) noexcept {
  // They are asked for at every reader of one value.
  constexpr std::size_t kMost = 1000;
  if (!value) return {};
  const std::span<const Use> users = model.value(value).users;
  return users.first(std::min(users.size(), kMost));
}

ValueId float_input_of(const ModelView& view, ValueId value) { return input_behind(view, value, is_float); }

ValueId network_input_of(const ModelView& view, ValueId value) {
  return input_behind(view, value, [](DataType) { return true; });
}

std::span<const StoredTensor> ModelView::stored() const {
  if (!stored_) stored_ = stored_tensors(model, shapes, nodes_);
  return *stored_;
}

ValueId NodeView::input(std::size_t index) const {
  const ValueId id = view_->parser.argument(node_->input(index));
  return id && view_->model.value(id).is_defined ? id : ValueId{};
}

std::optional<std::vector<Dim>> NodeView::whole_contents(ValueId id) const {
  const ValueShape& found = shape(id);
  if (found.is_known) return std::vector<Dim>(found.known.begin(), found.known.end());
  const TensorId tensor = view_->model.constant(id);
  const auto ints = tensor ? view_->tensors.ints(tensor, kMostContents) : std::nullopt;
  if (!ints) return std::nullopt;
  std::vector<Dim> contents;
  contents.reserve(ints->size());
  for (const std::int64_t value : *ints) contents.push_back(view_->dims().literal(value));
  return contents;
}

std::optional<std::vector<double>> NodeView::real_contents(ValueId id) const {
  const TensorId tensor = view_->model.constant(id);
  return tensor ? view_->tensors.floats(tensor, kMostContents) : std::nullopt;
}

std::string_view NodeView::source(ValueId id) const {
  const NodeId producer = producer_of(view_->model, id);
  return producer ? view_->model.node(producer).op_type : std::string_view();
}

}  // namespace trtcheck
