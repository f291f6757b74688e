#include "rules/shape/exact_obligation.hpp"

#include <algorithm>
#include <unordered_set>

namespace trtcheck::rules {
namespace {

/// Conditions on more sizes than this pin none of them, and cost the more to evaluate.
constexpr std::size_t kMostSymbols = 8;

}  // namespace

bool always_runs(const RuleContext& context, NodeId id) {
  const Model& model = context.model();
  while (true) {
    const GraphId graph_id = model.node(id).graph;
    const Graph& graph = model.graph(graph_id);
    if (graph.kind == Graph::Kind::main) return true;
    if (!graph.parent) return false;
    if (graph.kind == Graph::Kind::body && context.shapes().taken_branch(graph.parent) != graph_id) return false;
    id = graph.parent;
  }
}

std::vector<std::string_view> symbols_of(const DimTable& dims, const Obligation& obligation, std::size_t& left) {
  if (!dims.is_exact(obligation.a) || !dims.is_exact(obligation.b)) return {};
  std::vector<std::string_view> symbols = dims.symbols(obligation.a);
  const std::vector<std::string_view> others = dims.symbols(obligation.b);
  left -= std::min(left, symbols.size() + others.size());
  if (symbols.size() > kMostSymbols || others.size() > kMostSymbols) return {};
  for (const std::string_view symbol : others) {
    if (std::ranges::find(symbols, symbol) == symbols.end()) symbols.push_back(symbol);
  }
  return symbols;
}

bool rests_on_claims(const RuleContext& context, NodeId id) {
  std::vector<NodeId> open{id};
  std::unordered_set<std::uint32_t> seen{id.index};
  while (!open.empty()) {
    const Node& node = context.model().node(open.back());
    open.pop_back();
    for (ValueId input : node.inputs) {
      if (!input) continue;
      if (context.shape(input).assumed || context.shape(input).differs) return true;
      const NodeId producer = context.model().value(input).producer;
      if (producer && seen.insert(producer.index).second) open.push_back(producer);
    }
  }
  return false;
}

}  // namespace trtcheck::rules
