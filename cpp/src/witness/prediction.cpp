#include "witness/prediction.hpp"

#include <algorithm>
#include <cstddef>

namespace trtcheck::witness {
namespace {

/// "Failed to import initializer: In node -1 ...: Failed to import initializer: w" -> "w"; "" = the text names none.
std::string_view initializer_in(std::string_view text) {
  constexpr std::string_view kBefore = "initializer: ";
  const std::size_t found = text.rfind(kBefore);
  if (found == std::string_view::npos) return "";
  const std::string_view name = text.substr(found + kBefore.size());
  return name.substr(0, name.find('\n'));
}

}  // namespace

Prediction::Prediction(const Report& report) {
  for (const Finding& finding : report.findings) add(finding);
  for (const Suppressed& suppressed : report.suppressions) add(suppressed.finding);
}

void Prediction::add(const Finding& finding) {
  for (const Finding& consequence : finding.consequences) add(consequence);
  if (finding.severity == Severity::info) return;
  rules_[finding.rule].insert(finding.fact);
  if (finding.node_id) at_[finding.node_id.index].push_back(finding.rule);
  if (!finding.value.empty()) about_[finding.value].push_back(finding.rule);
}

/// The rule found something, and where the text belongs to facts, one of them.
bool Prediction::found(const MessageMatch& match) const {
  const auto told = rules_.find(match.rule);
  if (told == rules_.end()) return false;
  return match.facts.empty() ||
         std::ranges::any_of(match.facts, [&](std::string_view fact) { return told->second.contains(fact); });
}

std::vector<MessageMatch> Prediction::rules_for(std::string_view text, NodeId node) const {
  std::vector<MessageMatch> matches;
  const auto add_all = [&](std::span<const Rule* const> rules) {
    for (const Rule* const rule : rules) {
      if (std::ranges::find(matches, rule, &MessageMatch::rule) == matches.end())
        matches.push_back({rule, {}, {}, 0, {}});
    }
  };
  if (const auto about = about_.find(initializer_in(text)); about != about_.end()) add_all(about->second);
  const std::size_t known = matches.size();
  for (MessageMatch& match : trtcheck::rules_for(text)) {
    if (std::ranges::find(matches, match.rule, &MessageMatch::rule) == matches.end()) matches.push_back(match);
  }
  std::stable_partition(matches.begin() + static_cast<std::ptrdiff_t>(known), matches.end(),
                        [&](const MessageMatch& m) { return found(m); });
  if (!matches.empty() || !node) return matches;
  if (const auto here = at_.find(node.index); here != at_.end()) add_all(here->second);
  return matches;
}

bool Prediction::speaks_of(const WitnessMessage& message, NodeId node) const {
  if (node && at_.contains(node.index)) return true;
  return std::ranges::any_of(message.matches, [&](const MessageMatch& m) { return found(m); });
}

}  // namespace trtcheck::witness
