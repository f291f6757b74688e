#include "engine/run.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/calls.hpp"
#include "engine/order.hpp"
#include "rules/unread.hpp"

namespace trtcheck::engine {
namespace {

/// What is asked of the nodes of one operator.
struct Asked {
  std::vector<const Rule*> rules;  ///< in their own order
  std::vector<const facts::Fact*> facts;
};

std::vector<Asked> asked_by_operator(const rules::RuleContext::Run& run, std::span<const Rule* const> rules) {
  const bool is_all = std::ranges::equal(rules, all_rules());
  const FactsOfRun facts(run.view.target, rules, is_all);
  const ByOperator own = is_all ? ByOperator() : by_operator(rules);
  const ByOperator& rules_about = is_all ? all_by_operator() : own;
  std::vector<Asked> asked;
  asked.reserve(run.view.operators.all().size());
  for (const OperatorView& op : run.view.operators.all()) {
    Asked& of_op = asked.emplace_back();
    of_op.facts = facts.of(op);
    if (const auto found = rules_about.find(op.op_type); found != rules_about.end()) of_op.rules = found->second;
    std::erase_if(of_op.rules, [&](const Rule* rule) { return !is_asked(*rule, run.view); });
  }
  return asked;
}

void call_all(rules::RuleContext::Run& run, std::span<const Rule* const> rules) {
  for (const Rule* rule : rules) {
    if (looks_at_model(*rule) && is_asked(*rule, run.view)) call(run, *rule, NodeId{});
  }
  const std::vector<Asked> asked = asked_by_operator(run, rules);
  std::vector<Speaker> speakers;
  for (const NodeId id : run.nodes) {
    const Asked& of_node = asked[run.view.operators.index(id)];
    for (const Rule* rule : of_node.rules) call(run, *rule, id);
    if (of_node.facts.empty()) continue;
    call_facts(run, of_node.facts, id, speakers);
  }
  // About what the others asked for in vain.
  if (std::ranges::find(rules, &rules::external_constants_unread) != rules.end()) {
    call(run, rules::external_constants_unread, NodeId{});
  }
}

}  // namespace

void call_facts(rules::RuleContext::Run& run, std::span<const facts::Fact* const> facts, NodeId id,
                std::vector<Speaker>& speakers) {
  const NodeView node(run.view, id);
  speakers.clear();
  for (const facts::Fact* fact : facts) {
    call(run, rule_of(*fact), id, [&](rules::RuleContext&) {
      if (const std::optional<Speaker> speaker = ask(*fact, node)) speakers.push_back(*speaker);
    });
  }
  if (speakers.empty()) return;
  overrule(speakers, rules::RuleContext(run).has_conflict());
  for (const Speaker& speaker : speakers) {
    call(run, rule_of(*speaker.fact), id, [&](rules::RuleContext& context) { tell(context, speaker, node); });
  }
}

ByOperator by_operator(std::span<const Rule* const> rules) {
  ByOperator made;
  for (const Rule* rule : rules) {
    if (rule->check == nullptr) continue;
    for (const std::string_view op : rule->ops) made[op].push_back(rule);
  }
  return made;
}

const ByOperator& all_by_operator() {
  static const ByOperator made = by_operator(all_rules());
  return made;
}

bool looks_at_model(const Rule& rule) noexcept {
  return rule.check != nullptr && rule.ops.empty() && &rule != &rules::external_constants_unread;
}

RunResult finished(rules::RuleContext::Run& run) {
  RunResult result = run.findings.finish();
  rules::add_unread_notes(result.findings, rules::RuleContext(run));
  sort_findings(result.findings);
  return result;
}

RunResult run_rules(const Model& model, const Shapes& shapes, const Target& target, const Selection& selection,
                    std::span<const Rule* const> rules, const Listing& listing, WeakShapes* weak,
                    const NumberSources& numbers) {
  WeakShapes own;
  rules::RuleContext::Run run(model, shapes, target, selection, listing, weak != nullptr ? *weak : own, numbers);
  call_all(run, rules);
  return finished(run);
}

}  // namespace trtcheck::engine
