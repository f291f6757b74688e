// `trtcheck graph`: the nodes around one node, or around a finding, as an SVG.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/picture.hpp>
#include <trtcheck/trtcheck.hpp>

#include "cli/commands.hpp"
#include "cli/graph_options.hpp"
#include "cli/open_model.hpp"
#include "cli/output.hpp"
#include "engine/selection.hpp"
#include "picture/neighbourhood.hpp"
#include "target/releases.hpp"
#include "text/suggest.hpp"

namespace trtcheck::cli {
namespace {

/// Deeper pictures may show more.
Reach reach_of(const GraphRequest& request) {
  return {.depth = request.depth, .max_nodes = std::clamp(8 * request.depth, 16U, 96U)};
}

std::vector<NodeId> drawable_nodes(const Model& model) {
  std::vector<NodeId> nodes;
  for (std::uint32_t g = 0; g < model.graph_count(); ++g) {
    const Graph& graph = model.graph(GraphId{g});
    if (graph.kind == Graph::Kind::function_definition) continue;
    for (std::uint32_t i = 0; i < graph.node_count; ++i) nodes.push_back(NodeId{graph.first_node.index + i});
  }
  return nodes;
}

/// `label`, or `path/of/the/graph/label` where several graphs have such a node; the main graph counts first.
NodeId node_called(const Model& model, std::span<const NodeId> nodes, std::string_view word) {
  for (const NodeId id : nodes) {
    if (model.node_label(id) == word) return id;
  }
  for (const NodeId id : nodes) {
    const std::string label = model.node_label(id);
    if (word.ends_with(label) && model.graph_path(model.node(id).graph) + "/" + label == word) return id;
  }
  return {};
}

/// The node that makes the tensor, or the first one that reads it.
NodeId node_at_tensor(const Model& model, std::string_view word) {
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const Value& value = model.value(ValueId{i});
    if (value.name != word || model.graph(value.graph).kind == Graph::Kind::function_definition) continue;
    if (value.producer) return value.producer;
    if (!value.users.empty()) return value.users.front().node;
  }
  return {};
}

[[noreturn]] void no_such_node(const GraphRequest& request, const Model& model, std::span<const NodeId> nodes) {
  std::vector<std::string> labels;
  for (const NodeId id : nodes) labels.push_back(model.node_label(id));
  const std::vector<std::string_view> views(labels.begin(), labels.end());
  std::string hint = did_you_mean(request.around, views);
  const auto longer = std::ranges::find_if(views, [&](std::string_view l) { return l.ends_with(request.around); });
  if (hint.empty() && longer != views.end()) hint = fmt::format(", did you mean `{}`?", *longer);
  throw Error(request.path, fmt::format("no node, tensor or finding `{}`{}", request.around, hint));
}

/// The first finding that the word means; findings that were folded into others count.
std::optional<Finding> first_of(std::string_view word, std::vector<Finding> findings) {
  for (Finding& finding : findings) {
    if (engine::matches(finding, word)) return std::move(finding);
    if (std::optional<Finding> found = first_of(word, std::move(finding.consequences))) return found;
  }
  return std::nullopt;
}

/// A code or name of a rule, or one of its facts; not a prefix.
bool is_finding(std::string_view word) {
  const auto fact = engine::fact_in(word);
  return fact ? !engine::why_unknown(word) : find_rule(word) != nullptr;
}

std::string left_out(const Report& report) {
  if (report.suppressed == 0) return "";
  return fmt::format("; {} left out by select, ignore or a suppression",
                     report.suppressed == 1 ? "a finding is" : fmt::format("{} findings are", report.suppressed));
}

Neighbourhood around_finding(const GraphRequest& request, const Analysis& analysis) {
  const SettingsResolver resolver(request.config, request.overrides);
  const Report report = check(analysis, resolver.for_model(request.path).check);
  const Rule& rule = *engine::rule_of(request.around);
  std::optional<Finding> finding = first_of(request.around, report.findings);
  if (!finding) {
    throw Error(request.path, fmt::format("there is no finding {} ({}) in it for {}{}", rule.code, rule.name,
                                          full_name(report.target.release), left_out(report)));
  }
  add_neighbourhoods({&*finding, 1}, analysis.model(), analysis.shapes(report.target), reach_of(request));
  if (finding->neighbourhood.empty()) {
    throw Error(request.path,
                fmt::format("finding {} is about the whole model, not about a node", finding->rule->code));
  }
  return std::move(finding->neighbourhood);
}

/// The SVG.
std::string drawn(const GraphRequest& request, const Model& model) {
  const Analysis analysis(model);
  const std::vector<NodeId> nodes = drawable_nodes(model);
  const auto at = [&](NodeId node, std::string_view value) {
    NeighbourhoodFinder finder(model, analysis.shapes());
    return draw(finder.around({node, {}, value}, reach_of(request)), {.title = {}, .is_finding = false});
  };
  if (const NodeId node = node_called(model, nodes, request.around)) return at(node, {});
  if (const NodeId node = node_at_tensor(model, request.around)) return at(node, request.around);
  if (is_finding(request.around)) return draw(around_finding(request, analysis));
  no_such_node(request, model, nodes);
}

}  // namespace

int run(const GraphRequest& request) {
  const Model model = open_model(request.path);
  write_output({.file = request.file}, drawn(request, model), std::span(&request.path, 1));
  return kExitClean;
}

}  // namespace trtcheck::cli
