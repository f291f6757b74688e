#include "suppress/metadata_ignores.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "bytes/sorted.hpp"
#include "engine/place.hpp"
#include "model/graphs.hpp"
#include "rules/list.hpp"
#include "suppress/ignore_entries.hpp"

namespace trtcheck {
namespace {

// Every finding is compared with every rule named at its node and of the model.
constexpr std::size_t kMostRules = 2000;

/// Definitions of functions are there for reading only; what counts are the calls.
bool is_in_definition(const Model& model, NodeId node) {
  return model.graph(graph_around(model, model.node(node).graph)).kind == Graph::Kind::function_definition;
}

Finding made(const Rule& rule, NodeId node, std::string message, std::string fix) {
  Finding finding;
  finding.rule = &rule;
  finding.severity = rule.severity;
  finding.certainty = rule.certainty;
  finding.message = std::move(message);
  finding.node_id = node;
  finding.fix = Fix{std::move(fix), Applicability::display};
  return finding;
}

}  // namespace

MetadataIgnores::MetadataIgnores(const Model& model) : model_(&model) {
  for (std::uint32_t i = 0; i < model.node_count(); ++i) read(NodeId{i}, model.node(NodeId{i}).metadata());
  read(NodeId{}, model.metadata());
}

void MetadataIgnores::read(NodeId node, std::span<const StringPair> metadata) {
  for (const StringPair& pair : metadata) {
    if (pair.key != kIgnoreKey || (node && is_in_definition(*model_, node))) continue;
    add(node, pair.value);
  }
}

void MetadataIgnores::add(NodeId node, std::string_view text) {
  if (rules_ > kMostRules) return;
  for (IgnoreEntry& entry : parse_ignore_entries(text, kMostRules + 1 - rules_)) {
    rules_ += std::max<std::size_t>(1, entry.rules.size() + entry.mistakes.size());
    if (rules_ > kMostRules) {
      mistakes_.emplace_back(node, fmt::format("there are more than {} rules, the others do not count", kMostRules));
      return;
    }
    for (std::string& mistake : entry.mistakes) mistakes_.emplace_back(node, std::move(mistake));
    for (std::string_view rule : entry.rules) ignores_.push_back({node, rule, entry.reason});
  }
}

std::optional<SuppressedBecause> MetadataIgnores::why_at(NodeId node, const Finding& finding) {
  std::optional<SuppressedBecause> found;
  for (Ignore& ignore : equal_span(ignores_, node, &Ignore::node)) {
    if (!engine::matches(finding, ignore.rule)) continue;
    ignore.used = true;
    if (!found) found = {node ? Suppressed::By::node : Suppressed::By::model, std::string(ignore.reason)};
  }
  return found;
}

std::optional<SuppressedBecause> MetadataIgnores::why(const Finding& finding) {
  std::optional<SuppressedBecause> found;
  for (NodeId node = finding.node_id; node;) {
    auto here = why_at(node, finding);
    if (!found) found = std::move(here);
    // What is found in a function stands for all calls of it, so no single call can suppress it.
    const Graph& graph = model_->graph(model_->node(node).graph);
    node = graph.kind == Graph::Kind::body ? graph.parent : NodeId{};
  }
  auto whole = why_at(NodeId{}, finding);
  return found ? found : whole;
}

std::vector<const MetadataIgnores::Ignore*> MetadataIgnores::unused() const {
  const auto key = [&](const Ignore& ignore) {
    const std::string place = engine::place_in_function(*model_, ignore.node);
    return place.empty() ? place : fmt::format("{} {}", ignore.rule, place);
  };
  std::set<std::string> settled;  // used in some call, or told once
  for (const Ignore& ignore : ignores_) {
    if (ignore.used) settled.insert(key(ignore));
  }
  std::vector<const Ignore*> found;
  for (const Ignore& ignore : ignores_) {
    if (ignore.used) continue;
    const std::string place = key(ignore);
    if (place.empty() || settled.insert(place).second) found.push_back(&ignore);
  }
  return found;
}

std::vector<Finding> MetadataIgnores::findings(const engine::Selection& selection) const {
  std::vector<Finding> found;
  for (const auto& [node, mistake] : mistakes_) {
    found.push_back(made(rules::suppression_malformed::rule, node, fmt::format("`{}`: {}", kIgnoreKey, mistake),
                         fmt::format("write `CODE: reason` after `{}`", kIgnoreKey)));
  }
  for (const Ignore* ignore : unused()) {
    const auto selected = [&](const Rule* rule) {
      return engine::names(*rule, ignore->rule) && selection.contains(*rule);
    };
    if (std::ranges::none_of(all_rules(), selected)) continue;
    found.push_back(made(rules::suppression_unused::rule, ignore->node,
                         fmt::format("`{}`: `{}` matches nothing that was found {}", kIgnoreKey, ignore->rule,
                                     ignore->node ? "at this node" : "in this model"),
                         fmt::format("remove `{}` from `{}`", ignore->rule, kIgnoreKey)));
  }
  return found;
}

}  // namespace trtcheck
