#include "rules/run.hpp"

#include <exception>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "rules/list.hpp"
#include "rules/run_order.hpp"
#include "rules/run_place.hpp"
#include "rules/run_state.hpp"

namespace trtcheck::rules {
namespace {

void call(RuleContext::Run& run, const Rule& rule, NodeId node) {
  run.rule = &rule;
  run.node = node;
  RuleContext context(run);
  try {
    rule.check(context);
  } catch (const std::exception& error) {  // one broken rule must not hide what the others found
    run.rule = &internal_error;
    context.add(node, fmt::format("rule `{}` ({}) failed: {}", rule.name, rule.code, error.what()));
  }
}

void call_all(RuleContext::Run& run, std::span<const Rule* const> rules) {
  std::unordered_map<std::string_view, std::vector<const Rule*>> by_op;
  for (const Rule* rule : rules) {
    if (rule->check == nullptr) continue;
    if (rule->ops.empty()) call(run, *rule, NodeId{});
    for (std::string_view op : rule->ops) by_op[op].push_back(rule);
  }
  for (NodeId node : run.nodes) {
    const auto it = by_op.find(run.model.node(node).op_type);
    if (it == by_op.end()) continue;
    for (const Rule* rule : it->second) call(run, *rule, node);
  }
}

}  // namespace

RunResult run_rules(const Model& model, const Shapes& shapes, const Target& target, const Selection& selection,
                    std::span<const Rule* const> rules) {
  RuleContext::Run run(model, shapes, target);
  call_all(run, rules);

  RunResult result;
  for (Finding& finding : run.findings) {
    // A failed rule is always told: its silence could be taken for a clean bill.
    if (finding.rule == &internal_error || selection.contains(*finding.rule)) {
      result.findings.push_back(std::move(finding));
    } else {
      ++result.suppressed;
    }
  }
  for (Finding& finding : result.findings) add_place(finding, model, shapes);
  merge_calls(result.findings, model);
  sort_findings(result.findings, model);
  fold_consequences(result.findings);
  return result;
}

}  // namespace trtcheck::rules
