#include "edit/locate.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "model/fields.hpp"
#include "model/graphs.hpp"
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

/// The graph of an attribute that holds one; nullptr: it holds a list of them, or none.
Message* single_body(Message& attribute) {
  const std::optional<std::size_t> type = attribute.last_field(wire::varint(f::attribute::type));
  const bool is_list = type && attribute.number(*type) == static_cast<std::uint64_t>(AttributeType::graphs);
  return is_list ? nullptr : attribute.open_single(wire::bytes(f::attribute::g));
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
    const std::vector<std::size_t> named = attributes(*owner.message, step.attribute);
    if (named.empty())
      fail(fmt::format("node {} of {} has no attribute `{}`", step.node, words(outer), step.attribute));
    made.message = body(*owner.message, named, step.index);
    if (made.message == nullptr) fail(fmt::format("there is no graph {} in {}", step.index, words(at)));
  }
  const std::uint32_t nodes = made.is_function ? f::function::node : f::graph::node;
  made.nodes = made.message->fields(wire::bytes(nodes));
  return graphs_.emplace(key, std::move(made)).first->second;
}

Message* Locator::body(Message& node, const std::vector<std::size_t>& named, std::size_t index) {
  for (const std::size_t field : named) {
    Message& attribute = node.open(field);
    if (Message* single = single_body(attribute); single != nullptr) {
      if (index == 0) return single;
      --index;
      continue;
    }
    const std::vector<std::size_t> several = attribute.fields(wire::bytes(f::attribute::graphs));
    if (index < several.size()) return &attribute.open(several[index]);
    index -= several.size();
  }
  return nullptr;
}

NodeMessage Locator::node(const NodeAt& at) {
  GraphMessage& in = graph(at.graph);
  if (at.position >= in.nodes.size())
    fail(fmt::format("there is no node {} in {}, it has {}", at.position, words(at.graph), in.nodes.size()));
  const std::size_t field = in.nodes[at.position];
  return {&in.message->open(field), &in, field};
}

std::vector<std::size_t> Locator::attributes(Message& node, std::string_view name) {
  std::vector<std::size_t> found = node.fields(wire::bytes(f::node::attribute));
  std::erase_if(found,
                [&](std::size_t index) { return node.open(index).text(wire::bytes(f::attribute::name)) != name; });
  return found;
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
    std::vector<GraphId> bodies;  // of all attributes of that name
    for (const Attribute& attribute : owner.attributes()) {
      if (attribute.name == body.attribute) add_graphs(attribute, bodies);
    }
    const auto index = static_cast<std::uint32_t>(std::ranges::find(bodies, at) - bodies.begin());
    steps.push_back({.node = owner.position, .attribute = std::string(body.attribute), .index = index});
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
