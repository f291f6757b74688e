#include "reduce/cut.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <variant>

#include <trtcheck/extract.hpp>

namespace trtcheck::reducing {
Cutter::Cutter(const Model& model, const Shapes& shapes, const Limits& limits)
    : model_(&model), shapes_(&shapes), limits_(limits), uses_(model) {}

std::optional<std::vector<edit::Edit>> Cutter::keep(std::span<const std::uint32_t> positions) const {
  const Graph& graph = model_->graph();
  std::vector<bool> is_kept(graph.node_count);
  for (const std::uint32_t position : positions) is_kept[position] = true;
  const auto node_at = [&](std::uint32_t position) { return NodeId{graph.first_node.index + position}; };
  const auto is_read = [&](ValueId id) {
    return std::ranges::any_of(uses_.readers(id), [&](std::uint32_t reader) { return is_kept[reader]; });
  };

  ExtractOptions options{.inputs = {}, .outputs = {}, .limits = limits_, .lenient = true};
  std::set<ValueId> inputs;
  std::set<ValueId> outputs;
  for (const std::uint32_t position : positions) {
    for (const ValueId id : uses_.reads(position)) {
      const Value& value = model_->value(id);
      if (value.initializer || !value.is_defined) continue;
      if (value.producer && is_kept[model_->node(value.producer).position]) continue;
      if (inputs.insert(id).second) options.inputs.emplace_back(value.name);
    }
    bool is_needed = false;
    ValueId first;
    for (const ValueId id : model_->node(node_at(position)).outputs) {
      if (!id) continue;
      if (!first) first = id;
      const Value& value = model_->value(id);
      const bool had_reader = value.is_output || !uses_.readers(id).empty();
      is_needed |= is_read(id);
      if (!value.is_output && (is_read(id) || !had_reader)) continue;
      is_needed = true;
      if (outputs.insert(id).second) options.outputs.emplace_back(value.name);
    }
    if (!is_needed && first && outputs.insert(first).second) {
      options.outputs.emplace_back(model_->value(first).name);
    }
  }
  if (options.outputs.empty()) return std::nullopt;
  std::vector<edit::Edit> edits = plan_extract(*model_, *shapes_, options).edits;
  // A second maker of a value, or a circle, leads to no output; it is asked for all the same.
  std::erase_if(edits, [&](const edit::Edit& edit) {
    const auto* const removed = std::get_if<edit::RemoveNode>(&edit);
    return removed != nullptr && removed->node.graph == edit::GraphAt{} && is_kept[removed->node.position];
  });
  // Where a name has two makers, the first one may be asked for without being meant.
  const auto removed = std::ranges::count_if(edits, [](const edit::Edit& edit) {
    const auto* const node = std::get_if<edit::RemoveNode>(&edit);
    return node != nullptr && node->node.graph == edit::GraphAt{};
  });
  if (static_cast<std::size_t>(removed) + positions.size() != graph.node_count) return std::nullopt;
  return edits;
}

std::vector<std::uint32_t> Cutter::around(std::uint32_t position, std::uint32_t steps, bool downwards) const {
  const Graph& graph = model_->graph();
  std::set<std::uint32_t> seen{position};
  std::vector<std::uint32_t> border{position};
  for (std::uint32_t step = 0; step < steps && !border.empty(); ++step) {
    std::vector<std::uint32_t> next;
    const auto meet = [&](std::uint32_t found) {
      if (seen.insert(found).second) next.push_back(found);
    };
    for (const std::uint32_t at : border) {
      for (const ValueId id : uses_.reads(at)) {
        if (const NodeId producer = model_->value(id).producer) meet(model_->node(producer).position);
      }
      if (!downwards) continue;
      for (const ValueId id : model_->node(NodeId{graph.first_node.index + at}).outputs) {
        if (!id) continue;
        for (const std::uint32_t reader : uses_.readers(id)) meet(reader);
      }
    }
    border = std::move(next);
  }
  return {seen.begin(), seen.end()};
}

}  // namespace trtcheck::reducing
