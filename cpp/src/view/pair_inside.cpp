#include "view/pair_inside.hpp"

#include <algorithm>

#include "model/walk.hpp"
#include "schema/kinds.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck {
namespace {

// A convolution has one of each behind it at most.
constexpr std::size_t kLookAhead = kinds::fuses_behind_pair.operators.size();

bool is_fused(const ModelView& view, NodeId id) { return is_a(view.model.node(id).op_type, kinds::fuses_behind_pair); }

/// The nodes that read what comes out of the pair behind `q`; empty when it is no complete pair.
std::vector<NodeId> behind_pair(const ModelView& view, NodeId q) {
  std::vector<NodeId> nodes;
  for (const Use& dq : readers_of(view.model, view.model.node(q).output(0))) {
    if (!is_dequantize(view.model.node(dq.node))) return {};
    for (const Use& reader : readers_of(view.model, view.model.node(dq.node).output(0))) nodes.push_back(reader.node);
  }
  return nodes;
}

bool is_quantized_behind(const ModelView& view, NodeId id) {
  const Walked end = walk<kLookAhead>(view.model.node(id).output(0), [&](ValueId value, auto& onward) {
    const std::span<const Use> uses = readers_of(view.model, value);
    const auto quantizes = [&](const Use& use) { return is_quantize(view.model.node(use.node)); };
    if (!uses.empty() && std::ranges::all_of(uses, quantizes)) return true;
    const NodeId reader = sole_reader(view.model, value);
    if (reader && is_fused(view, reader)) onward.add(view.model.node(reader).output(0));
    return false;
  });
  return end == Walked::found;
}

bool is_convolution(const Node& node) { return is_a(node.op_type, kinds::convolution); }

}  // namespace

std::optional<PairInside> pair_inside(const ModelView& view, ValueId result) {
  const std::span<const Use> uses = readers_of(view.model, result);
  if (uses.size() != 1 || !is_quantize(view.model.node(uses[0].node))) return std::nullopt;
  PairInside found{.q = uses[0].node, .behind = behind_pair(view, uses[0].node)};
  const auto fuses = [&](NodeId id) { return is_fused(view, id); };
  if (found.behind.empty() || !std::ranges::all_of(found.behind, fuses)) return std::nullopt;
  found.is_quantized_behind =
      std::ranges::all_of(found.behind, [&](NodeId id) { return is_quantized_behind(view, id); });
  return found;
}

NodeId split_from(const ModelView& view, NodeId id) {
  if (!is_fused(view, id)) return {};
  const auto pair = dequantized(view, view.model.node(id).input(0));
  if (!pair || !pair->q || !pair->direct || !pair_inside(view, pair->source)) return {};
  const NodeId producer = producer_of(view.model, pair->source);
  if (!producer) return {};
  const Node& node = view.model.node(producer);
  if (is_convolution(node)) return producer;
  const NodeId before = node.op_type == "BatchNormalization" ? producer_of(view.model, node.input(0)) : NodeId{};
  return before && is_convolution(view.model.node(before)) ? producer : NodeId{};
}

}  // namespace trtcheck
