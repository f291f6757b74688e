#include "subgraph/request.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/error.hpp>

#include "model/graphs.hpp"
#include "text/suggest.hpp"

namespace trtcheck::subgraph {
namespace {

[[noreturn]] void refuse(const Model& model, std::string cause) { throw Error(model.path(), std::move(cause)); }

void add_once(std::vector<ValueId>& list, ValueId id) {
  if (id && std::ranges::find(list, id) == list.end()) list.push_back(id);
}

using Names = std::unordered_map<std::string_view, ValueId>;

Names names_of_main_graph(const Model& model) {
  Names made;
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const Value& value = model.value(ValueId{i});
    if (value.graph == kMainGraph && value.is_defined) made.emplace(value.name, ValueId{i});
  }
  return made;
}

[[noreturn]] void refuse_name(const Model& model, const std::string& name) {
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const Value& value = model.value(ValueId{i});
    if (value.graph == kMainGraph) names.push_back(value.name);
    if (value.name != name || value.graph == kMainGraph || !value.is_defined) continue;
    if (model.graph(value.graph).kind == Graph::Kind::function_definition) continue;
    refuse(model, fmt::format("tensor `{}` is inside of {}: a model is cut at tensors of its main graph", name,
                              model.graph_path(value.graph)));
  }
  refuse(model, fmt::format("there is no tensor `{}`{}", name, did_you_mean(name, names)));
}

std::string counted_inputs(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  const std::vector<std::string> first(names.begin(),
                                       names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMost)));
  std::string text = fmt::format("{} {}", names.size() == 1 ? "input" : "inputs", fmt::join(first, ", "));
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

/// " (Shape `s` reads `x`)"; "" = it is the output itself.
std::string reader(const Model& model, const Reached& reached, ValueId input) {
  const std::vector<NodeId> outermost = outermost_nodes(model);
  for (const Use& use : model.value(input).users) {
    const GraphId graph = model.node(use.node).graph;
    const NodeId outer = graph == kMainGraph ? use.node : outermost[graph.index];
    if (!outer || !reached.node(outer)) continue;
    return fmt::format(" ({} `{}` reads `{}`)", model.node(use.node).op_type, model.node_label(use.node),
                       model.value(input).name);
  }
  return {};
}

}  // namespace

Request requested(const Model& model, const ExtractOptions& options) {
  Request made;
  made.is_cut.resize(model.value_count());
  const Names names = names_of_main_graph(model);
  const auto named = [&](const std::string& name) {
    const auto found = names.find(name);
    if (found == names.end()) refuse_name(model, name);
    return found->second;
  };
  for (const std::string& name : options.inputs) add_once(made.inputs, named(name));
  for (const std::string& name : options.outputs) add_once(made.outputs, named(name));
  if (options.outputs.empty()) {
    for (const ValueId output : model.graph().outputs) add_once(made.outputs, output);
  }
  for (const ValueId input : made.inputs) made.is_cut[input.index] = true;
  for (const ValueId output : made.outputs) {
    if (std::ranges::find(made.inputs, output) == made.inputs.end()) continue;
    refuse(model,
           fmt::format("`{}` is named as an input and as an output: nothing lies between", model.value(output).name));
  }
  if (!options.inputs.empty()) return made;
  for (const ValueId input : model.graph().inputs) {
    if (model.is_network_input(input)) made.is_cut[input.index] = true;
  }
  return made;
}

Reached reached_by(const Model& model, const Request& request, bool lenient) {
  Reached reached(model, request.outputs, request.is_cut);
  if (!lenient && !reached.undefined().empty()) {
    const Missing& one = reached.undefined().front();
    refuse(model, fmt::format("output `{}` needs `{}`, which nothing makes", model.value(one.output).name,
                              model.value(one.input).name));
  }
  if (reached.missing().empty()) return reached;
  const Missing& first = reached.missing().front();
  std::vector<std::string> names;
  for (const Missing& one : reached.missing()) {
    if (one.output == first.output) names.push_back(fmt::format("`{}`", model.value(one.input).name));
  }
  refuse(model, fmt::format("output `{}` also needs {} of the model{}: name {} among the inputs, or cut at another "
                            "tensor",
                            model.value(first.output).name, counted_inputs(names), reader(model, reached, first.input),
                            names.size() == 1 ? "it" : "them"));
}

}  // namespace trtcheck::subgraph
