#include "check/severities.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "engine/selection.hpp"
#include "rules/list.hpp"

namespace trtcheck {
namespace {

/// How exactly the word means this rule: 0 = not at all; a whole code or a name is as exact as can be.
std::size_t exactness(const Rule& rule, std::string_view word) {
  if (rule.name == word) return rule.code.size();
  if (word.empty() || word.size() > rule.code.size()) return 0;
  return rules::same_ignoring_case(rule.code.substr(0, word.size()), word) ? word.size() : 0;
}

const SeverityOverride* most_exact(const Rule& rule, std::span<const SeverityOverride> overrides) {
  const SeverityOverride* best = nullptr;
  std::size_t best_exactness = 1;
  for (const SeverityOverride& each : overrides) {
    const std::size_t exact = exactness(rule, each.rule);
    if (exact < best_exactness) continue;  // of equals the last one counts
    best = &each;
    best_exactness = exact;
  }
  return best;
}

}  // namespace

Severities::Severities(std::span<const SeverityOverride> overrides) {
  if (overrides.empty()) return;
  for (const SeverityOverride& each : overrides) {
    if (auto why = engine::why_unknown(each.rule)) throw Error("severity", std::move(*why));
    if (engine::fact_in(each.rule)) of_facts_.push_back(each);
  }
  for (const Rule* rule : all_rules()) {
    if (rule == &rules::internal_error::rule) continue;
    if (const SeverityOverride* best = most_exact(*rule, overrides)) wanted_.emplace_back(rule, best->severity);
  }
}

Severity Severities::of(const Rule& rule, Severity severity) const {
  const auto wanted = std::ranges::find(wanted_, &rule, &std::pair<const Rule*, Severity>::first);
  return wanted == wanted_.end() ? severity : wanted->second;
}

std::vector<Unlisted> Severities::of(const std::vector<Unlisted>& unlisted) const {
  std::vector<Unlisted> made;
  for (Unlisted each : unlisted) {
    each.severity = of(*each.rule, each.severity);
    const bool is_same = !made.empty() && made.back().rule == each.rule && made.back().severity == each.severity;
    is_same ? void(made.back().count += each.count) : made.push_back(each);
  }
  return made;
}

void Severities::apply(std::span<Finding> findings) const {
  if (wanted_.empty() && of_facts_.empty()) return;
  for (Finding& finding : findings) {
    finding.severity = of(*finding.rule, finding.severity);
    // A fact is the most exact of words.
    for (const SeverityOverride& each : of_facts_) {
      if (engine::matches(finding, each.rule)) finding.severity = each.severity;
    }
  }
}

}  // namespace trtcheck
