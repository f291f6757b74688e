#include "witness/nodes.hpp"

#include <algorithm>

namespace trtcheck::witness {
namespace {

constexpr std::string_view kNodeOf = "node_of_";
/// What may stand around a name in a message.
constexpr std::string_view kAround = " \t\n\"'`()[]{}<>,;+";

NodeId value_of(const std::unordered_map<std::string_view, NodeId>& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? NodeId{} : found->second;
}

/// The first node that `find` gives for a word of the text.
template <class Find>
NodeId first_in(std::string_view text, Find find) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(kAround, at);
    if (begin == std::string_view::npos) break;
    at = std::min(text.find_first_of(kAround, begin), text.size());
    std::string_view word = text.substr(begin, at - begin);
    // "name:count", "name: text", "name...other"
    while (word.size() > 2) {
      if (const NodeId found = find(word)) return found;
      const std::size_t end = word.find_last_of(":.");
      if (end == std::string_view::npos) break;
      word = word.substr(0, end);
    }
  }
  return {};
}

}  // namespace

NodeFinder::NodeFinder(const Model& model) : model_(&model) {
  for (std::uint32_t g = 0; g < model.graph_count(); ++g) {
    const Graph& graph = model.graph(GraphId{g});
    if (graph.kind == Graph::Kind::function_definition) continue;
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      const NodeId id{graph.first_node.index + i};
      const Node& node = model.node(id);
      if (!node.name.empty()) by_name_.emplace(node.name, id);
      if (!by_operator_.emplace(node.op_type, id).second) by_operator_[node.op_type] = {};
      for (const ValueId output : node.outputs) {
        if (output) by_output_.emplace(model.value(output).name, id);
      }
    }
  }
}

NodeId NodeFinder::named(std::string_view name) const {
  if (name.empty()) return {};
  if (const NodeId found = value_of(by_name_, name)) return found;
  if (!name.starts_with(kNodeOf)) return {};
  std::string_view output = name.substr(kNodeOf.size());
  if (const NodeId found = value_of(by_output_, output)) return found;
  // The second layer of one node: "node_of_y_0".
  const std::size_t number = output.find_last_not_of("0123456789");
  if (number == std::string_view::npos || output[number] != '_') return {};
  return value_of(by_output_, output.substr(0, number));
}

NodeId NodeFinder::making(std::string_view tensor) const { return value_of(by_output_, tensor); }

NodeId NodeFinder::in_text(std::string_view text) const {
  return first_in(text, [&](std::string_view word) { return named(word); });
}

/// Words such as `output`, and numbers, are names of tensors, too: in a text they mean something else.
NodeId NodeFinder::making_in_text(std::string_view text) const {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return first_in(text, [&](std::string_view word) {
    const bool has_letter = std::ranges::any_of(word, is_letter);
    return has_letter && !std::ranges::all_of(word, is_letter) ? making(word) : NodeId{};
  });
}

NodeId NodeFinder::find(const Said& said) const {
  if (const NodeId found = named(said.node_name)) return found;
  const Graph& main = model_->graph();
  if (said.node >= 0 && static_cast<std::uint32_t>(said.node) < main.node_count) {
    const NodeId id{main.first_node.index + static_cast<std::uint32_t>(said.node)};
    // The number may count nodes of a body.
    if (said.op_type.empty() || model_->node(id).op_type == said.op_type) return id;
  }
  if (const NodeId found = in_text(said.text)) return found;
  if (const NodeId found = making_in_text(said.text)) return found;
  return value_of(by_operator_, said.op_type);
}

void describe_node(WitnessMessage& message, const Model& model, NodeId id, rules::Provenances& provenances) {
  const Node& node = model.node(id);
  message.node = model.node_label(id);
  message.op_type = node.op_type;
  message.graph = model.graph_path(node.graph);
  const rules::Provenance& provenance = provenances.of(id);
  message.source = provenance.lines.source;
  message.library = provenance.lines.library;
  message.module = provenance.module;
}

}  // namespace trtcheck::witness
