// Codes that are moved before they are dequantized: dequantized first, where one scale is for all of them.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure {
namespace {

/// From the constant to the DequantizeLinear: nodes that move its elements, each read by the next one alone.
struct Chain {
  std::vector<NodeId> moves;
  NodeId dequantize;
};

bool is_move(const Draft& draft, NodeId node) {
  return node && draft.model().node(node).domain().empty() && moves_elements(draft.model().node(node).op_type);
}

std::optional<Chain> chain_from(const Draft& draft, NodeId first) {
  Chain chain;
  for (NodeId at = first; is_move(draft, at);) {
    chain.moves.push_back(at);
    const Value& value = draft.model().value(draft.model().node(at).output(0));
    if (value.is_output || value.users.size() != 1 || value.users[0].input != 0) return std::nullopt;
    at = value.users[0].node;
    if (draft.model().node(at).graph != draft.node().graph) return std::nullopt;
    if (!is_onnx_op(draft, at, "DequantizeLinear")) continue;
    chain.dequantize = at;
    return chain;
  }
  return std::nullopt;
}

/// The finding is about the first node of the chain, or about the DequantizeLinear behind it.
NodeId first_move(const Draft& draft) {
  NodeId at = draft.node().op_type == "DequantizeLinear" ? producer(draft, draft.node().input(0)) : draft.id();
  while (is_move(draft, at)) {
    const NodeId before = producer(draft, draft.model().node(at).input(0));
    if (!is_move(draft, before)) return at;
    at = before;
  }
  return {};
}

bool make(Draft& draft, const Finding&) {
  const NodeId first = first_move(draft);
  const auto chain = first ? chain_from(draft, first) : std::nullopt;
  if (!chain) return false;
  const ValueId codes = draft.model().node(first).input(0);
  if (!draft.model().constant(codes)) return false;
  const Node& dequantize = draft.model().node(chain->dequantize);
  const auto scale = draft.contents(dequantize.input(1));
  if (!scale || std::ranges::any_of(scale->dims, [](std::int64_t dim) { return dim != 1; })) {
    return draft.refuse("the scale is not one constant number");
  }
  if (dequantize.input(2) && !draft.contents(dequantize.input(2))) return draft.refuse("the zero point is computed");
  Draft::Inputs inputs{name_of(draft, codes)};
  // Whatever rank they had: here they have to stand before the first node.
  inputs.push_back(draft.constant(constant_like_scalar(*scale), "scale"));
  if (const auto zero = dequantize.input(2) ? draft.contents(dequantize.input(2)) : std::nullopt) {
    inputs.push_back(draft.constant(constant_like_scalar(*zero), "zero_point"));
  }
  const std::string made = draft.fresh(name_of(draft, codes) + "/dequantized");
  const edit::NodeAt place = edit::place_of(draft.model(), first);
  draft.add(edit::InsertNode{
      place.graph, place.position, {.op_type = "DequantizeLinear", .inputs = std::move(inputs), .outputs = {made}}});
  std::string input = made;
  for (const NodeId move : chain->moves) {
    draft.set_input_of(move, 0, input);
    const bool is_last = move == chain->moves.back();
    input = is_last ? name_of(draft, dequantize.output(0))
                    : draft.fresh(name_of(draft, draft.model().node(move).output(0)));
    draft.add(edit::SetOutput{edit::place_of(draft.model(), move), 0, input});
  }
  draft.remove_node(chain->dequantize);
  drop_stored(draft, dequantize.input(1));
  drop_stored(draft, dequantize.input(2));
  draft.title(fmt::format("dequantize `{}` before {}", name_of(draft, codes), draft.model().node(first).op_type));
  return true;
}

constexpr std::string_view kFindings[] = {"QDQ101", "QDQ102", "QDQ228", "QDQ229"};

}  // namespace

extern constinit const Cure dequantized_first{
    .name = "dequantized-first",
    .kind = CureClass::proven,
    .summary = "stored codes that are moved before DequantizeLinear are dequantized first",
    .findings = kFindings,
    .make = make};

}  // namespace trtcheck::cure
