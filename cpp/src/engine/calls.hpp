// Calls of rules and facts in one run, and which are made at all. Included by the runners only.
#pragma once

#include <exception>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/core.h>

#include "engine/run_state.hpp"
#include "engine/tell_facts.hpp"
#include "rules/list.hpp"

namespace trtcheck::engine {

template <class Check>
void call(rules::RuleContext::Run& run, const Rule& rule, NodeId node, const Check& check) {
  run.rule = &rule;
  if (run.node != node) run.conv.reset();
  run.node = node;
  rules::RuleContext context(run);
  try {
    check(context);
  } catch (const std::exception& error) {  // one broken rule must not hide what the others found
    run.rule = &rules::internal_error;
    context.add(node, fmt::format("rule `{}` ({}) failed: {}", rule.name, rule.code, error.what()));
  }
}

inline void call(rules::RuleContext::Run& run, const Rule& rule, NodeId node) { call(run, rule, node, rule.check); }

/// @param speakers  emptied; nearly always nobody speaks, so one is there for all nodes
void call_facts(rules::RuleContext::Run& run, std::span<const facts::Fact* const> facts, NodeId id,
                std::vector<Speaker>& speakers);

/// Rules that look at nodes of an operator, in their own order.
using ByOperator = std::unordered_map<std::string_view, std::vector<const Rule*>>;
[[nodiscard]] ByOperator by_operator(std::span<const Rule* const> rules);
/// The same of all rules: mostly nothing is selected.
[[nodiscard]] const ByOperator& all_by_operator();

/// It looks at the whole model, and before the others.
[[nodiscard]] bool looks_at_model(const Rule& rule) noexcept;

/// Whether the rule is about such a model at all.
[[nodiscard]] inline bool is_asked(const Rule& rule, const ModelView& view) noexcept {
  return !rule.quantized_only || view.is_quantized;
}

/// The notes and the order that findings get last.
[[nodiscard]] RunResult finished(rules::RuleContext::Run& run);

}  // namespace trtcheck::engine
