#include "rules/quantization/residual.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "model/walk.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::rules {
namespace {

using Values = std::vector<ValueId>;

constexpr std::size_t kLookBack = 64;
constexpr std::size_t kBlockSize = 192;  // values of a block; no known residual block comes near

bool is_tail(const Node& node) { return is_a(node.op_type, kinds::between_convolutions); }
bool is_pool(const Node& node) { return is_a(node.op_type, kinds::pool); }

struct Trace {
  Values values;  // from the operand backwards
  NodeId conv;    // where it ended, if in a convolution
};

Trace follow(const RuleContext& context, ValueId value, bool through_pools) {
  Trace trace;
  walk<kLookBack>(value, [&](ValueId at, auto& onward) {
    trace.values.push_back(at);
    const NodeId id = producer_of(context.model(), at);
    if (!id) return false;
    const Node& node = context.model().node(id);
    if (node.op_type == "Conv") {
      trace.conv = id;
      return true;
    }
    if (is_tail(node) || (through_pools && is_pool(node))) onward.add(node.input(0));
    return false;
  });
  return trace;
}

/// Whether a convolution's data are computed from one of the values, within the size of a block.
bool is_computed_from(const RuleContext& context, NodeId conv, const Values& values) {
  const Walked end = walk<kBlockSize>(context.model().node(conv).input(0), [&](ValueId id, auto& onward) {
    if (std::ranges::find(values, id) != values.end()) return true;
    const Node* const node = context.producer(id);
    if (node == nullptr) return false;
    for (const ValueId input : node->inputs) {
      // Weights and scales lead nowhere.
      if (input && !context.model().value(input).initializer) onward.add(input);
    }
    return false;
  });
  return end == Walked::found;
}

bool adds_activations(const RuleContext& context, const Node& add) {
  if (add.inputs.size() != 2 || !add.inputs[0] || !add.inputs[1] || add.inputs[0] == add.inputs[1]) return false;
  return !context.shapes().folds_to_constant(add.inputs[0]) && !context.shapes().folds_to_constant(add.inputs[1]);
}

/// @pre adds_activations
bool adds_equal_shapes(const RuleContext& context, const Node& add) {
  const ValueShape& a = context.shape(add.inputs[0]);
  const ValueShape& b = context.shape(add.inputs[1]);
  if (!a.has_rank || !b.has_rank || a.rank() != b.rank()) return false;
  for (std::size_t axis = 0; axis < a.rank(); ++axis) {
    const bool broadcast = a.dims[axis].is(1) != b.dims[axis].is(1);
    if (broadcast || context.dims().equal(a.dims[axis], b.dims[axis]) == Truth::no) return false;
  }
  return true;
}

bool is_quantized(const RuleContext& context, NodeId conv) {
  return conv && layer_quantization(context.view(), context.model().node(conv)).int8();
}

/// Values between the last convolution of a branch and the one before, or the start of the block.
Values before(const RuleContext& context, NodeId conv) {
  return follow(context, context.model().node(conv).input(0), true).values;
}

bool has_1x1_kernel(const RuleContext& context, NodeId conv) {
  const ValueShape& weight = context.shape(context.model().node(conv).input(1));
  return weight.rank() > 2 && std::ranges::all_of(weight.dims.subspan(2), [](Dim dim) { return dim.is(1); });
}

/// Index of the operand that is the shortcut.
std::optional<std::size_t> find_shortcut(const RuleContext& context, const std::array<Trace, 2>& traces,
                                         const std::array<ResidualBranch, 2>& branches) {
  for (std::size_t other : {std::size_t{1}, std::size_t{0}}) {
    const NodeId conv = traces[1 - other].conv;
    if (conv && is_computed_from(context, conv, traces[other].values)) return other;
  }
  if (!traces[0].conv || !traces[1].conv || traces[0].conv == traces[1].conv) return std::nullopt;
  const bool first = is_computed_from(context, traces[1].conv, before(context, traces[0].conv));
  const bool second = is_computed_from(context, traces[0].conv, before(context, traces[1].conv));
  if (first != second) return first ? 0 : 1;
  if (!first) return std::nullopt;
  // Two single convolutions of one tensor: either can be the shortcut.
  if (branches[0].pair.has_value() != branches[1].pair.has_value()) return branches[0].pair ? 0 : 1;
  return has_1x1_kernel(context, traces[0].conv) && !has_1x1_kernel(context, traces[1].conv) ? 0 : 1;
}

}  // namespace

std::optional<ResidualAdd> residual_add(const RuleContext& context, const Node& add) {
  if (!context.view().is_quantized || !adds_activations(context, add)) return std::nullopt;
  std::array<Trace, 2> traces;
  std::array<ResidualBranch, 2> branches;
  bool quantized = false;
  for (std::size_t i = 0; i < 2; ++i) {
    branches[i] = {i, dequantized(context.view(), add.inputs[i]), {}};
    traces[i] = follow(context, branches[i].pair ? branches[i].pair->source : add.inputs[i], false);
    quantized = quantized || is_quantized(context, traces[i].conv);
  }
  // Sizes last: comparing them costs most.
  if (!quantized || !adds_equal_shapes(context, add)) return std::nullopt;
  const auto shortcut = find_shortcut(context, traces, branches);
  if (!shortcut) return std::nullopt;
  const std::size_t backbone = 1 - *shortcut;
  branches[backbone].conv = traces[backbone].conv;
  // An identity shortcut may well come out of a convolution: that of the block before.
  const bool identity = is_computed_from(context, traces[backbone].conv, traces[*shortcut].values);
  if (!identity) branches[*shortcut].conv = traces[*shortcut].conv;
  return ResidualAdd{branches[backbone], branches[*shortcut]};
}

void add_allocator_notes(FindingBuilder& finding) {
  finding.note(
      "where TensorRT fails here, its last message can be `defaultAllocator.cpp::deallocateAsync Error Code 1: Cuda "
      "Runtime "
      "(operation not supported)`");
  finding.note(
      "the same message comes from a GPU without stream-ordered memory pools (shared vGPU, some WSL2 and old "
      "drivers), whatever the model: see cudaDevAttrMemoryPoolsSupported");
}

}  // namespace trtcheck::rules
