// Nodes that stand before what they read: moved behind it.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"
#include "text/plural.hpp"

namespace trtcheck::cure::graph_sorted {
namespace {

/// The most nodes of an order that may stay where they are: the longest part of it whose positions rise.
std::set<NodeId> staying(const Model& model, std::span<const NodeId> order) {
  std::vector<std::size_t> last;  // of the best part of each length: index into the order
  std::vector<std::size_t> before(order.size(), order.size());
  const auto position = [&](std::size_t i) { return model.node(order[i]).position; };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto at = std::ranges::lower_bound(last, position(i), {}, position);
    if (at != last.begin()) before[i] = *std::prev(at);
    if (at == last.end()) {
      last.push_back(i);
    } else {
      *at = i;
    }
  }
  std::set<NodeId> stay;
  for (std::size_t i = last.empty() ? order.size() : last.back(); i < order.size(); i = before[i])
    stay.insert(order[i]);
  return stay;
}

bool make(Draft& draft, const Finding& /*finding*/) {
  const Model& model = draft.model();
  const Graph& graph = model.graph(draft.node().graph);
  const std::set<NodeId> stay = staying(model, graph.order);
  std::vector<NodeId> waiting;
  std::size_t moved = 0;
  const auto put = [&](std::uint32_t position) {
    for (const NodeId id : waiting) {
      const Node& node = model.node(id);
      edit::NewNode copy{.op_type = std::string(node.op_type),
                         .name = std::string(node.name),
                         .domain = std::string(node.domain()),
                         .like = edit::place_of(model, id)};
      for (const ValueId input : node.inputs) copy.inputs.emplace_back(model.value(input).name);
      for (const ValueId output : node.outputs) copy.outputs.emplace_back(model.value(output).name);
      draft.add(edit::InsertNode{draft.place().graph, position, std::move(copy)});
      draft.remove_node(id);
      ++moved;
    }
    waiting.clear();
  };
  for (const NodeId id : graph.order) {
    if (!model.node(id).overload().empty() && !stay.contains(id))
      return draft.refuse("an overload of a function is called");
    if (stay.contains(id)) {
      put(model.node(id).position);
    } else {
      waiting.push_back(id);
    }
  }
  put(graph.node_count);
  draft.title(fmt::format("move {} after what they read", trtcheck::counted(moved, "node")));
  return moved > 0;
}

constexpr std::string_view kFindings[] = {"MDL105", "MDL107"};

}  // namespace

extern constinit const Cure cure{
    .name = "graph-sorted",
    .kind = CureClass::proven,
    .summary = "nodes are sorted: each comes after what it reads, its bodies included",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::graph_sorted
