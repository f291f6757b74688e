#include "rules/numerics/reached.hpp"

#include <algorithm>
#include <array>

#include "target/gates.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules {
namespace {

constexpr int kSteps = 8;
constexpr std::size_t kReaders = 64;

// What hands a mask on.
constexpr std::array<std::string_view, 13> kHandsOn{"Add",       "Cast",      "Concat",  "Expand", "Flatten",
                                                    "Identity",  "Min",       "Reshape", "Slice",  "Squeeze",
                                                    "Transpose", "Unsqueeze", "Where"};

bool only_masks(const RuleContext& context, ValueId value, int steps) {
  const auto readers = readers_of(context.model(), value);
  if (steps == 0 || readers.empty() || readers.size() > kReaders || context.model().value(value).is_output) {
    return false;
  }
  return std::ranges::all_of(readers, [&](const Use& use) {
    const Node& reader = context.model().node(use.node);
    if (reader.op_type == "Softmax") return true;
    return is_one_of(kHandsOn, reader.op_type) && only_masks(context, reader.output(0), steps - 1);
  });
}

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

bool only_masks(const RuleContext& context, ValueId value) { return only_masks(context, value, kSteps); }

}  // namespace trtcheck::rules
