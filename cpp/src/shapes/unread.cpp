#include "shapes/unread.hpp"

#include <algorithm>

#include "model/external_files.hpp"
#include "shapes/infer.hpp"
#include "shapes/known_values.hpp"

namespace trtcheck {
namespace {

// Arithmetic on shapes is a chain of a few nodes. A longer one is not followed to its beginning.
constexpr std::size_t kMostNodes = 32;
constexpr std::size_t kMostInputs = 256;

/// A value whose unknown numbers may be why a shape is not known.
bool may_be_numbers(const ValueShape& shape) {
  if (shape.is_known || shape.kind != ValueShape::Kind::tensor) return false;
  return (shapes::is_countable(shape.type) || shapes::is_float(shape.type)) && (!shape.has_rank || shape.rank() <= 1);
}

}  // namespace

std::vector<TensorId> unread_constants(const Shapes& shapes) {
  std::vector<TensorId> tensors;
  for (const auto& [tensor, why] : ShapesAccess::data(shapes).unread) tensors.push_back(TensorId{tensor});
  return tensors;
}

std::string_view unread_behind(const Model& model, const Shapes& shapes, NodeId node) {
  return shapes::unread_behind(model, ShapesAccess::data(shapes), node);
}

namespace shapes {

void note_unread(InferState& state, TensorId id) {
  if (state.result.unread.contains(id.index)) return;
  std::optional<std::string> why =
      why_unread(state.model, state.model.tensor(id), static_cast<std::int64_t>(kMaxKnown));
  if (why) state.result.unread.emplace(id.index, state.result.keep(std::move(*why)));
}

std::string_view unread_behind(const Model& model, const ShapesAccess::Impl& result, NodeId node) {
  if (result.unread.empty()) return {};
  std::vector<NodeId> nodes{node};
  std::size_t inputs = 0;
  for (std::size_t i = 0; i < nodes.size() && i < kMostNodes; ++i) {
    for (const ValueId input : model.node(nodes[i]).inputs) {
      if (++inputs > kMostInputs) return {};
      if (!input) continue;
      if (const TensorId constant = model.constant(input)) {
        const auto found = result.unread.find(constant.index);
        if (found != result.unread.end()) return found->second;
        continue;
      }
      const NodeId producer = model.value(input).producer;
      const bool is_new = producer && std::ranges::find(nodes, producer) == nodes.end();
      if (is_new && may_be_numbers(result.values[input.index])) nodes.push_back(producer);
    }
  }
  return {};
}

}  // namespace shapes
}  // namespace trtcheck
