#include "cure/verify.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <variant>

#include <fmt/format.h>

#include "cure/agreement.hpp"
#include "cure/cure.hpp"

namespace trtcheck::cure {
namespace {

/// How bad each thing is that is known of a model.
std::unordered_map<std::string, Severity> severities(const State& state) {
  std::unordered_map<std::string, Severity> found;
  for (const Finding* finding : state.findings()) {
    const Key key = state.key(*finding);
    const auto [at, is_new] = found.emplace(key.text, key.severity);
    if (!is_new) at->second = std::max(at->second, key.severity);
  }
  return found;
}

bool has_cure(const Finding& finding) { return !cures_of(finding).empty(); }

/// Advice by rule: where a layer takes another's place, its advice is of another value.
std::map<std::string_view, std::size_t> advice(const State& state) {
  std::map<std::string_view, std::size_t> counts;
  for (const Finding* finding : state.findings()) {
    if (finding->severity == Severity::info) ++counts[finding->rule->code];
  }
  return counts;
}

std::optional<std::string> worse_finding(const State& before, const State& after, Severity cured) {
  const std::unordered_map<std::string, Severity> known = severities(before);
  const auto old_advice = advice(before);
  const auto new_advice = advice(after);
  for (const Finding* finding : after.findings()) {
    if (finding->severity < cured) continue;
    const Key key = after.key(*finding);
    if (const auto old = known.find(key.text); old != known.end() && old->second >= finding->severity) continue;
    if (finding->severity == Severity::info) {
      const auto old = old_advice.find(finding->rule->code);
      if (old != old_advice.end() && new_advice.at(finding->rule->code) <= old->second) continue;
    }
    // What comes out of one repair is what the next round is for.
    if (finding->severity == cured && has_cure(*finding)) continue;
    return fmt::format("it brings a new finding: {} {}", finding->rule->code, finding->message);
  }
  return std::nullopt;
}

/// A choice may declare other types as well.
bool may_change_interface(const Attempt& attempt) {
  if (attempt.kind == CureClass::interface) return true;
  const auto declares = [](const edit::Edit& edit) { return std::holds_alternative<edit::DeclareType>(edit); };
  return attempt.kind == CureClass::choice && std::ranges::any_of(attempt.edits, declares);
}

}  // namespace

std::optional<std::string> why_not(const State& before, const State& after, std::span<const Attempt> attempts) {
  const std::unordered_map<std::string, Severity> left = severities(after);
  Severity cured = Severity::error;
  bool keeps_interface = true;
  for (const Attempt& attempt : attempts) {
    const auto still = left.find(attempt.key.text);
    if (still != left.end() && still->second >= attempt.key.severity) return "the finding would still be there";
    cured = std::min(cured, attempt.key.severity);
    keeps_interface = keeps_interface && !may_change_interface(attempt);
  }
  if (auto worse = worse_finding(before, after, cured)) return worse;
  if (!keeps_interface) return std::nullopt;
  return changed_value(before.model(), before.shapes(), after.model(), after.shapes());
}

}  // namespace trtcheck::cure
