#include "engine/run.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/core.h>

#include "engine/order.hpp"
#include "engine/run_state.hpp"
#include "engine/tell_facts.hpp"
#include "facts/evaluate.hpp"
#include "rules/list.hpp"
#include "rules/unread.hpp"
#include "view/executed.hpp"

namespace trtcheck::engine {
namespace {

using RunState = rules::RuleContext::Run;

/// A rule, and releases that are alike in what it asks.
struct RulePart {
  const Rule* rule;
  ReleaseSet releases;
};

/// What is asked of the nodes of one operator.
struct Asked {
  std::vector<RulePart> rules;  ///< in their own order
  std::vector<FactPart> facts;
};

/// @pre turned to the rule
template <class Check>
void guarded(RunState& run, const Rule& rule, NodeId node, const Check& check) {
  if (run.node != node) run.conv.reset();
  run.node = node;
  rules::RuleContext context(run);
  try {
    check(context);
  } catch (const std::exception& error) {  // one broken rule must not hide what the others found
    run.findings.drop_open();
    run.rule = &rules::internal_error::rule;
    context.add(node, fmt::format("rule `{}` ({}) failed: {}", rule.name, rule.code, error.what()));
  }
}

void call(RunState& run, const RulePart& part, NodeId node) {
  run.turn_to(*part.rule, part.releases, part.rule->asks);
  guarded(run, *part.rule, node, part.rule->check);
}

/// @param speakers  emptied; nearly always nobody speaks, so one is there for all nodes
void call_facts(RunState& run, std::span<const FactPart> facts, NodeId id, std::vector<Speaker>& speakers) {
  const NodeView node(run.view, id);
  speakers.clear();
  // Cases of a fact, and facts of several releases, often have one condition: it is asked once.
  const FactPart* last = nullptr;
  const FactPart* turned = nullptr;
  std::optional<facts::Outcome> outcome;
  for (const FactPart& part : facts) {
    const bool is_known = last != nullptr && last->group == part.group && last->fact->condition == part.fact->condition;
    last = &part;
    if (!is_known) {
      outcome.reset();
      const bool is_turned = turned != nullptr && turned->rule == part.rule && turned->releases == part.releases;
      if (!is_turned) run.turn_to(*part.rule, part.releases, Asks::gates);
      turned = &part;
      guarded(run, *part.rule, id, [&](rules::RuleContext&) { outcome = facts::evaluate(*part.fact, node); });
    }
    if (!outcome || !is_heard(*part.fact, *outcome)) continue;
    if (!reaches(part.fact->refused_by, run.view, id)) continue;
    speakers.push_back({part.fact, *outcome, part.releases});
  }
  if (speakers.empty()) return;
  overrule(speakers, rules::RuleContext(run).has_conflict());
  for (const Speaker& speaker : speakers) {
    const Rule& rule = rule_of(*speaker.fact);
    for (const ReleaseSet part : parts_of_evidence(*speaker.fact, speaker.releases, run.releases)) {
      run.turn_to(rule, part, Asks::release);
      guarded(run, rule, id, [&](rules::RuleContext& context) { tell(context, speaker, node); });
    }
  }
}

/// Rules that look at nodes of an operator, in their own order.
using ByOperator = std::unordered_map<std::string_view, std::vector<const Rule*>>;

ByOperator by_operator(std::span<const Rule* const> rules) {
  ByOperator made;
  for (const Rule* rule : rules) {
    if (rule->check == nullptr) continue;
    for (const std::string_view op : rule->ops) made[op].push_back(rule);
  }
  return made;
}

/// The same of all rules: mostly nothing is selected.
const ByOperator& all_by_operator() {
  static const ByOperator made = by_operator(all_rules());
  return made;
}

/// It looks at the whole model, and before the others.
bool looks_at_model(const Rule& rule) noexcept {
  return rule.check != nullptr && rule.ops.empty() && &rule != &rules::external_constants_unread::rule;
}

/// Whether the rule is about such a model at all.
bool is_asked(const Rule& rule, const ModelView& view) noexcept { return !rule.quantized_only || view.is_quantized; }

std::vector<Asked> asked_by_operator(const RunState& run, const engine::Run& what) {
  const bool is_all = std::ranges::equal(what.rules, all_rules());
  const FactsOfRun facts(run, what.target, what.rules, is_all);
  const ByOperator own = is_all ? ByOperator() : by_operator(what.rules);
  const ByOperator& rules_about = is_all ? all_by_operator() : own;
  std::unordered_map<const Rule*, std::vector<ReleaseSet>> parts;
  std::vector<Asked> asked;
  asked.reserve(run.view.operators.all().size());
  for (std::size_t at = 0; at < run.view.operators.all().size(); ++at) {
    Asked& of_op = asked.emplace_back();
    of_op.facts = facts.of(at);
    const auto found = rules_about.find(run.view.operators.all()[at].op_type);
    if (found == rules_about.end()) continue;
    for (const Rule* rule : found->second) {
      if (!is_asked(*rule, run.view)) continue;
      const auto [known, is_new] = parts.try_emplace(rule);
      if (is_new) known->second = run.partition.parts_of(*rule);
      for (const ReleaseSet part : known->second) of_op.rules.push_back({rule, part});
    }
  }
  return asked;
}

void call_of_model(RunState& run, const Rule& rule) {
  for (const ReleaseSet part : run.partition.parts_of(rule)) call(run, {&rule, part}, NodeId{});
}

void call_all(RunState& run, const engine::Run& what) {
  for (const Rule* rule : what.rules) {
    if (looks_at_model(*rule) && is_asked(*rule, run.view)) call_of_model(run, *rule);
  }
  const std::vector<Asked> asked = asked_by_operator(run, what);
  std::vector<Speaker> speakers;
  for (const NodeId id : run.nodes) {
    const Asked& of_node = asked[run.view.operators.index(id)];
    for (const RulePart& part : of_node.rules) call(run, part, id);
    if (!of_node.facts.empty()) call_facts(run, of_node.facts, id, speakers);
  }
  // About what the others asked for in vain.
  if (std::ranges::find(what.rules, &rules::external_constants_unread::rule) != what.rules.end()) {
    call_of_model(run, rules::external_constants_unread::rule);
  }
}

/// Releases that execute the same nodes.
struct Group {
  std::vector<std::size_t> releases;  ///< places in the list
  std::vector<NodeId> nodes;
};

std::vector<Group> groups_of(const engine::Run& what) {
  std::vector<Group> groups;
  Target target = what.target;
  for (std::size_t i = 0; i < what.releases.size(); ++i) {
    const bool has_functions = !what.model.functions().empty();
    target.release = what.releases[i];
    // Whether a call runs its function is all that depends on the release.
    std::vector<NodeId> nodes;
    if (has_functions || groups.empty()) nodes = imported_nodes(what.model, what.shapes, target);
    const auto same = std::ranges::find_if(groups, [&](const Group& group) {
      return group.releases.size() < kMostReleases && (!has_functions || group.nodes == nodes);
    });
    if (same != groups.end()) {
      same->releases.push_back(i);
    } else if (!has_functions && !groups.empty()) {
      groups.push_back({{i}, groups.front().nodes});
    } else {
      groups.push_back({{i}, std::move(nodes)});
    }
  }
  return groups;
}

void run_group(const engine::Run& what, const Group& group, WeakShapes& weak, std::vector<RunResult>& results) {
  static const Listing kEverything;
  std::vector<TrtVersion> releases;
  std::vector<const Listing*> listings;
  for (const std::size_t place : group.releases) {
    releases.push_back(what.releases[place]);
    listings.push_back(what.listings.empty() ? &kEverything : &what.listings[place]);
  }
  RunState run(what, releases, group.nodes, listings, weak);
  call_all(run, what);
  // A constant in another file was asked for in vain: what is asked for counts, too.
  if (releases.size() > 1 && !run.tensors.unread().empty()) {
    for (const std::size_t place : group.releases) run_group(what, {{place}, group.nodes}, weak, results);
    return;
  }
  for (std::size_t i = 0; i < releases.size(); ++i) {
    RunResult& result = results[group.releases[i]];
    result = run.findings.finish(i);
    rules::add_unread_notes(result.findings, rules::RuleContext(run));
    sort_findings(result.findings);
  }
}

}  // namespace

std::vector<RunResult> run_rules(const Run& what) {
  WeakShapes own;
  WeakShapes& weak = what.weak != nullptr ? *what.weak : own;
  std::vector<RunResult> results(what.releases.size());
  for (const Group& group : groups_of(what)) run_group(what, group, weak, results);
  return results;
}

}  // namespace trtcheck::engine
