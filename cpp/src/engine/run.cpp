#include "engine/run.hpp"

#include <algorithm>
#include <exception>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "bytes/sorted.hpp"
#include "engine/order.hpp"
#include "engine/rows.hpp"
#include "engine/run_state.hpp"
#include "rules/list.hpp"
#include "rules/unread.hpp"

namespace trtcheck::engine {
namespace {

template <class Check>
void call(rules::RuleContext::Run& run, const Rule& rule, NodeId node, const Check& check) {
  run.rule = &rule;
  run.node = node;
  rules::RuleContext context(run);
  try {
    check(context);
  } catch (const std::exception& error) {  // one broken rule must not hide what the others found
    run.rule = &rules::internal_error;
    context.add(node, fmt::format("rule `{}` ({}) failed: {}", rule.name, rule.code, error.what()));
  }
}

void call(rules::RuleContext::Run& run, const Rule& rule, NodeId node) { call(run, rule, node, rule.check); }

struct OpRule {
  std::string_view op;
  const Rule* rule;
};

/// Rules by operator, those of one operator in their own order: one small sorted array, made once a run.
std::vector<OpRule> rules_by_op(std::span<const Rule* const> rules) {
  std::vector<OpRule> by_op;
  by_op.reserve(2 * rules.size());
  for (const Rule* rule : rules) {
    if (rule->check == nullptr) continue;
    for (std::string_view op : rule->ops) by_op.push_back({op, rule});
  }
  std::ranges::stable_sort(by_op, {}, &OpRule::op);
  return by_op;
}

void call_all(rules::RuleContext::Run& run, std::span<const Rule* const> rules) {
  for (const Rule* rule : rules) {
    if (rule->check != nullptr && rule->ops.empty() && rule != &rules::external_constants_unread)
      call(run, *rule, NodeId{});
  }
  const std::vector<OpRule> by_op = rules_by_op(rules);
  RowsOfRun rows(run.model, run.shapes, run.target, run.tensors, rules);
  for (NodeId node : run.nodes) {
    for (const OpRule& entry : equal_span(by_op, run.model.node(node).op_type, &OpRule::op)) {
      call(run, *entry.rule, node);
    }
    rows.for_each(node, [&](const Rule& rule, const checks::Row& row, const NodeFacts& facts) {
      call(run, rule, node, [&](rules::RuleContext& context) { tell(context, row, facts); });
    });
  }
  // About what the others asked for in vain.
  if (std::ranges::find(rules, &rules::external_constants_unread) != rules.end()) {
    call(run, rules::external_constants_unread, NodeId{});
  }
}

}  // namespace

RunResult run_rules(const Model& model, const Shapes& shapes, const Target& target, const Selection& selection,
                    std::span<const Rule* const> rules, const Listing& listing, WeakShapes* weak) {
  WeakShapes own;
  rules::RuleContext::Run run(model, shapes, target, selection, listing, weak != nullptr ? *weak : own);
  call_all(run, rules);
  RunResult result = run.findings.finish();
  rules::add_unread_notes(result.findings, rules::RuleContext(run));
  sort_findings(result.findings);
  return result;
}

}  // namespace trtcheck::engine
