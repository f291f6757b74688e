// Codes that are moved before they are dequantized: dequantized first, where one scale is for all of them.
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::dequantized_first {
namespace {

/// From the constant to DequantizeLinear: nodes that move its elements, each read by the next one alone.
struct Chain {
  std::vector<NodeId> moves;
  std::vector<NodeId> dequantizers;
};

bool is_move(const Draft& draft, NodeId node) {
  return node && draft.model().node(node).domain().empty() && moves_elements(draft.model().node(node).op_type);
}

std::optional<Chain> chain_from(const Draft& draft, NodeId first) {
  Chain chain;
  for (NodeId at = first; is_move(draft, at);) {
    chain.moves.push_back(at);
    const ValueId codes = draft.model().node(at).output(0);
    if (auto readers = dequantizers(draft, codes)) {
      chain.dequantizers = std::move(*readers);
      return chain;
    }
    const Value& value = draft.model().value(codes);
    if (value.is_output || value.users.size() != 1 || value.users[0].input != 0) return std::nullopt;
    at = value.users[0].node;
    if (draft.model().node(at).graph != draft.node().graph) return std::nullopt;
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

/// Scale and zero point of one element for all.
struct Parameters {
  Constant scale;
  std::int64_t zero = 0;
};

std::optional<Parameters> parameters(Draft& draft, NodeId node) {
  const auto scale = draft.contents(draft.model().node(node).input(1));
  const auto zeros = zero_points(draft, node);
  if (!scale || !zeros || std::ranges::any_of(scale->dims, [](std::int64_t dim) { return dim != 1; })) {
    return std::nullopt;
  }
  if (zeros->size() != 1) return std::nullopt;
  return Parameters{constant_like_scalar(*scale), zeros->front()};
}

std::optional<std::vector<Parameters>> all_parameters(Draft& draft, const Chain& chain) {
  std::vector<Parameters> all;
  for (const NodeId node : chain.dequantizers) {
    auto one = parameters(draft, node);
    if (!one || (!all.empty() && (one->zero != all.front().zero || one->scale.type != all.front().scale.type))) {
      return std::nullopt;
    }
    all.push_back(std::move(*one));
  }
  return all;
}

/// The codes, dequantized, and moved as before. @returns what comes out of the last node
std::string move_numbers(Draft& draft, const Chain& chain, const Constant& scale, std::int64_t zero,
                         const std::string& last) {
  const Node& first = draft.model().node(chain.moves.front());
  const ValueId codes = first.input(0);
  const std::string made = draft.fresh(name_of(draft, codes) + "/dequantized");
  const edit::NodeAt place = edit::place_of(draft.model(), chain.moves.front());
  Draft::Inputs inputs{
      name_of(draft, codes), draft.constant(scale, "scale"),
      draft.constant(constant_of(*draft.type(codes), {}, std::vector<std::int64_t>{zero}), "zero_point")};
  draft.add(edit::InsertNode{
      place.graph, place.position, {.op_type = "DequantizeLinear", .inputs = std::move(inputs), .outputs = {made}}});
  std::string input = made;
  for (const NodeId move : chain.moves) {
    draft.set_input_of(move, 0, input);
    const bool is_last = move == chain.moves.back();
    input = is_last ? last : draft.fresh(name_of(draft, draft.model().node(move).output(0)));
    draft.add(edit::SetOutput{edit::place_of(draft.model(), move), 0, input});
  }
  return input;
}

void replace(Draft& draft, NodeId dequantize, std::string_view op, Draft::Inputs inputs) {
  const edit::NodeAt place = edit::place_of(draft.model(), dequantize);
  const std::string output = name_of(draft, draft.model().node(dequantize).output(0));
  draft.remove_node(dequantize);
  draft.add(edit::InsertNode{
      place.graph, place.position, {.op_type = std::string(op), .inputs = std::move(inputs), .outputs = {output}}});
}

bool make(Draft& draft, const Finding&) {
  const NodeId first = first_move(draft);
  const auto chain = first ? chain_from(draft, first) : std::nullopt;
  if (!chain) return false;
  const ValueId codes = draft.model().node(first).input(0);
  if (!draft.model().constant(codes) || !draft.type(codes)) return false;
  const auto all = all_parameters(draft, *chain);
  if (!all) return draft.refuse("the scale is not one constant number");
  if (all->size() == 1) {
    const NodeId only = chain->dequantizers.front();
    move_numbers(draft, *chain, all->front().scale, all->front().zero,
                 name_of(draft, draft.model().node(only).output(0)));
    draft.remove_node(only);
  } else {
    // (code - zero point) * scale, in two steps: the first one gives whole numbers.
    const Constant one = constant_of(all->front().scale.type, {}, std::vector<double>{1});
    const std::string last = draft.fresh(name_of(draft, codes) + "/moved");
    move_numbers(draft, *chain, one, all->front().zero, last);
    for (std::size_t i = 0; i < all->size(); ++i) {
      replace(draft, chain->dequantizers[i], "Mul", {last, draft.constant((*all)[i].scale, "scale")});
    }
  }
  for (const NodeId node : chain->dequantizers) {
    drop_stored(draft, draft.model().node(node).input(1));
    drop_stored(draft, draft.model().node(node).input(2));
  }
  draft.title(fmt::format("dequantize `{}` before {}", name_of(draft, codes), draft.model().node(first).op_type));
  return true;
}

constexpr std::string_view kFindings[] = {"QDQ101", "QDQ102", "QDQ228", "QDQ229"};

}  // namespace

extern constinit const Cure cure{
    .name = "dequantized-first",
    .kind = CureClass::proven,
    .summary = "stored codes that are moved before DequantizeLinear are dequantized first",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::dequantized_first
