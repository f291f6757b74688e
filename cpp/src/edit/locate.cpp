#include "edit/locate.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "model/fields.hpp"
#include "model/model_data.hpp"
#include "model/wire.hpp"

namespace trtcheck::edit {
namespace {

namespace f = field;

/// Its place as a key of a table.
std::string key_of(const GraphAt& at) {
  std::string key = at.function ? fmt::format("f{}", *at.function) : "m";
  for (const GraphAt::Step& step : at.steps)
    fmt::format_to(std::back_inserter(key), "/{}:{}:{}", step.node, step.index, step.attribute);
  return key;
}

}  // namespace

std::string words(const GraphAt& at) {
  std::string text = at.function ? fmt::format("function {}", *at.function) : "the main graph";
  for (const GraphAt::Step& step : at.steps)
    text = fmt::format("the body `{}` of node {} of {}", step.attribute, step.node, text);
  return text;
}

void Locator::fail(const std::string& cause) const { throw Error(path_, cause); }

Message& Locator::importer(const std::optional<std::uint32_t>& function) {
  if (!function) return *root_;
  const std::vector<std::size_t> functions = root_->fields(wire::bytes(f::model::functions));
  if (*function >= functions.size())
    fail(fmt::format("there is no function {}, the model has {}", *function, functions.size()));
  return root_->open(functions[*function]);
}

GraphMessage& Locator::graph(const GraphAt& at) {
  const std::string key = key_of(at);
  if (const auto known = graphs_.find(key); known != graphs_.end()) return known->second;
  GraphMessage made;
  if (at.steps.empty()) {
    made.is_function = at.function.has_value();
    made.message = made.is_function ? &importer(at.function) : root_->open_single(wire::bytes(f::model::graph));
  } else {
    GraphAt outer = at;
    const GraphAt::Step step = outer.steps.back();
    outer.steps.pop_back();
    const NodeMessage owner = node({outer, step.node});
    const std::optional<std::size_t> index = attribute(*owner.message, step.attribute);
    if (!index) fail(fmt::format("node {} of {} has no attribute `{}`", step.node, words(outer), step.attribute));
    made.message = &body(owner.message->open(*index), step.index, words(at));
  }
  const std::uint32_t nodes = made.is_function ? f::function::node : f::graph::node;
  made.nodes = made.message->fields(wire::bytes(nodes));
  return graphs_.emplace(key, std::move(made)).first->second;
}

Message& Locator::body(Message& attribute, std::uint32_t index, const std::string& name) {
  if (Message* single = attribute.open_single(wire::bytes(f::attribute::g)); single != nullptr && index == 0)
    return *single;
  const std::vector<std::size_t> several = attribute.fields(wire::bytes(f::attribute::graphs));
  if (index >= several.size()) fail(fmt::format("there is no graph {} in {}", index, name));
  return attribute.open(several[index]);
}

NodeMessage Locator::node(const NodeAt& at) {
  GraphMessage& in = graph(at.graph);
  if (at.position >= in.nodes.size())
    fail(fmt::format("there is no node {} in {}, it has {}", at.position, words(at.graph), in.nodes.size()));
  const std::size_t field = in.nodes[at.position];
  return {&in.message->open(field), &in, field};
}

std::optional<std::size_t> Locator::attribute(Message& node, std::string_view name) {
  for (const std::size_t index : node.fields(wire::bytes(f::node::attribute))) {
    if (node.open(index).text(wire::bytes(f::attribute::name)) == name) return index;
  }
  return std::nullopt;
}

std::vector<std::size_t> Locator::named(Message& graph, std::uint32_t entries, std::uint32_t name_field,
                                        std::string_view name) {
  const auto [list, is_new] = lists_[&graph].try_emplace(wire::bytes(entries));
  if (is_new) {
    for (const std::size_t index : graph.fields(wire::bytes(entries))) {
      list->second[graph.open(index).text(wire::bytes(name_field))].push_back(index);
    }
  }
  const auto known = list->second.find(name);
  if (known == list->second.end()) return {};
  std::vector<std::size_t> found = known->second;
  std::erase_if(found, [&](std::size_t index) { return !graph.has(index); });
  return found;
}

GraphAt place_of(const Model& model, GraphId graph) {
  const ModelData& data = ModelAccess::data(model);
  std::vector<GraphAt::Step> steps;
  // The clone of a call is the text of its function: what is around the call does not count.
  GraphId at = graph;
  while (model.graph(at).kind == Graph::Kind::body) {
    const Graph& body = model.graph(at);
    const Node& owner = model.node(body.parent);
    GraphAt::Step step{.node = owner.position, .attribute = std::string(body.attribute), .index = 0};
    for (const Attribute& attribute : owner.attributes()) {
      const std::span<const GraphId> list = attribute.graphs();
      const auto found = std::ranges::find(list, at);
      if (found != list.end()) step.index = static_cast<std::uint32_t>(found - list.begin());
    }
    steps.push_back(std::move(step));
    at = owner.graph;
  }
  std::ranges::reverse(steps);
  const std::uint32_t function = data.function_of[at.index];
  return {.function = function == ModelData::kMain ? std::nullopt : std::optional(function), .steps = std::move(steps)};
}

NodeAt place_of(const Model& model, NodeId node) {
  return {.graph = place_of(model, model.node(node).graph), .position = model.node(node).position};
}

}  // namespace trtcheck::edit
