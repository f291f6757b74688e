#include "engine/selection.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include <trtcheck/error.hpp>

#include "engine/tell_facts.hpp"
#include "rules/list.hpp"
#include "text/suggest.hpp"

namespace trtcheck::engine {

namespace {

bool is_whole_name(const Rule& rule, std::string_view word) noexcept {
  return rule.name == word || rules::same_ignoring_case(rule.code, word);
}

/// The rule that tells the fact; nullptr: there is no fact of that name.
const Rule* rule_of_fact(std::string_view id) {
  static const auto rules = [] {
    std::unordered_map<std::string_view, const Rule*> found;
    for (const facts::Fact& fact : facts::all_facts()) found.emplace(fact.id, &rule_of(fact));
    return found;
  }();
  const auto found = rules.find(id);
  return found == rules.end() ? nullptr : found->second;
}

}  // namespace

std::optional<std::string_view> fact_in(std::string_view word) noexcept {
  const std::size_t colon = word.find(':');
  if (colon != std::string_view::npos) return word.substr(colon + 1);
  return rule_of_fact(word) == nullptr ? std::nullopt : std::optional(word);
}

const Rule* rule_of(std::string_view word) noexcept {
  if (const Rule* rule = find_rule(word.substr(0, word.find(':')))) return rule;
  return rule_of_fact(word);
}

bool names(const Rule& rule, std::string_view word) noexcept {
  if (word.empty()) return false;
  if (const std::size_t colon = word.find(':'); colon != std::string_view::npos) {
    return is_whole_name(rule, word.substr(0, colon));
  }
  return rule.name == word || rules::same_ignoring_case(rule.code.substr(0, word.size()), word) ||
         rule_of_fact(word) == &rule;
}

bool matches(const Finding& finding, std::string_view word) noexcept {
  const auto fact = fact_in(word);
  return names(*finding.rule, word) && (!fact || *fact == finding.fact);
}

namespace {

/// Of "OPS401:pad-mode".
std::optional<std::string> why_unknown_fact(std::string_view word, std::string_view rule, std::string_view fact) {
  std::vector<std::string_view> candidates;
  for (const facts::Fact& known : facts::all_facts()) {
    if (!is_whole_name(rule_of(known), rule)) continue;
    if (known.id == fact) return std::nullopt;
    candidates.push_back(known.id);
  }
  if (candidates.empty()) return fmt::format("`{}`: `{}` is no rule that tells several facts", word, rule);
  return fmt::format("`{}`: `{}` is none of the facts of `{}`{}", word, fact, rule, did_you_mean(fact, candidates));
}

}  // namespace

std::optional<std::string> why_unknown(std::string_view word) {
  if (const std::size_t colon = word.find(':'); colon != std::string_view::npos) {
    return why_unknown_fact(word, word.substr(0, colon), word.substr(colon + 1));
  }
  if (std::ranges::any_of(all_rules(), [&](const Rule* rule) { return names(*rule, word); })) return std::nullopt;
  std::vector<std::string_view> candidates;
  for (const Rule* rule : all_rules()) {
    candidates.push_back(rule->code);
    candidates.push_back(rule->name);
    candidates.push_back(rule->code.substr(0, 3));
  }
  for (const facts::Fact& fact : facts::all_facts()) candidates.push_back(fact.id);
  return fmt::format("`{}` is no rule code, prefix, name or fact{}", word, did_you_mean(word, candidates));
}

namespace {

void check_words(std::span<const std::string> words, const char* option) {
  for (const std::string& word : words) {
    if (auto why = why_unknown(word)) throw Error(option, std::move(*why));
  }
}

bool any_names(const Rule& rule, std::span<const std::string> words) {
  return std::ranges::any_of(words, [&](const std::string& word) { return names(rule, word); });
}

bool any_matches(const Finding& finding, std::span<const std::string> words) noexcept {
  return std::ranges::any_of(words, [&](const std::string& word) { return matches(finding, word); });
}

bool is_about_fact(std::string_view word) noexcept { return fact_in(word).has_value(); }

}  // namespace

Selection::Selection(std::span<const std::string> select, std::span<const std::string> ignore) {
  check_words(select, "select");
  check_words(ignore, "ignore");
  std::vector<std::string> ignored;
  for (const std::string& word : ignore) (is_about_fact(word) ? ignored_facts_ : ignored).push_back(word);
  if (std::ranges::any_of(select, is_about_fact)) select_facts_.assign(select.begin(), select.end());
  is_all_ = select.empty() && ignored.empty();
  if (is_all_) return;
  for (const Rule* rule : all_rules()) {
    if ((select.empty() || any_names(*rule, select)) && !any_names(*rule, ignored)) chosen_.push_back(rule);
  }
  std::ranges::sort(chosen_, std::less<>{});
}

bool Selection::contains(const Rule& rule) const noexcept {
  return is_all_ || std::ranges::binary_search(chosen_, &rule, std::less<>{});
}

bool Selection::contains(const Finding& finding) const noexcept {
  return contains(*finding.rule) && (select_facts_.empty() || any_matches(finding, select_facts_)) &&
         !any_matches(finding, ignored_facts_);
}

}  // namespace trtcheck::engine
