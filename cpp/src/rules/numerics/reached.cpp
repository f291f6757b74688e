#include "rules/numerics/reached.hpp"

#include <algorithm>

#include "model/walk.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules {
namespace {

constexpr std::size_t kMostValues = 64;
constexpr std::size_t kReaders = 64;

}  // namespace

std::vector<Reached> reached_tensors(const RuleContext& context) {
  const Measured& measured = context.view().measured;
  std::vector<Reached> found;
  if (measured.empty()) return found;
  const Model& model = context.model();
  for (const ValueId input : model.graph().inputs) {
    const auto readers = readers_of(model, input);
    const MeasuredTensor* const tensor = measured.of(input);
    if (tensor != nullptr && !readers.empty()) found.push_back({readers.front().node, input, tensor, {}});
  }
  for (const NodeId id : context.nodes()) {
    const Node& node = model.node(id);
    for (const ValueId output : node.outputs) {
      const MeasuredTensor* const tensor = output ? measured.of(output) : nullptr;
      if (tensor == nullptr) continue;
      Reached& reached = found.emplace_back(Reached{id, output, tensor, {}});
      for (const ValueId input : node.inputs) {
        if (const MeasuredTensor* const source = input ? measured.of(input) : nullptr)
          reached.sources.push_back(source);
      }
    }
  }
  return found;
}

bool runs_in_half(const RuleContext& context, ValueId value) {
  const DataType type = context.shape(value).type;
  const bool may = context.target().asks_for(Precision::fp16);
  return type == DataType::float16 ||
         (type == DataType::float32 && may && !is_strongly_typed(context.release(), context.target().strongly_typed));
}

bool only_masks(const RuleContext& context, ValueId value) {
  const Model& model = context.model();
  const Walked end = walk<kMostValues>(value, [&](ValueId id, auto& onward) {
    const auto readers = readers_of(model, id);
    if (readers.empty() || readers.size() > kReaders || model.value(id).is_output) return true;
    return std::ranges::any_of(readers, [&](const Use& use) {
      const Node& reader = model.node(use.node);
      if (reader.op_type == "Softmax") return false;
      const ValueId made = is_a(reader.op_type, kinds::hands_masks_on) ? reader.output(0) : ValueId{};
      onward.add(made);
      return !made;
    });
  });
  return end == Walked::nowhere;
}

}  // namespace trtcheck::rules
