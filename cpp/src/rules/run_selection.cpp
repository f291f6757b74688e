#include "rules/run_selection.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "rules/list.hpp"
#include "target/suggest.hpp"

namespace trtcheck::rules {

bool matches(const Rule& rule, std::string_view word) noexcept {
  if (word.empty()) return false;
  return rule.name == word || same_ignoring_case(rule.code.substr(0, word.size()), word);
}

std::optional<std::string> why_unknown(std::string_view word) {
  if (std::ranges::any_of(all_rules(), [&](const Rule* rule) { return matches(*rule, word); })) return std::nullopt;
  std::vector<std::string_view> candidates;
  for (const Rule* rule : all_rules()) {
    candidates.push_back(rule->code);
    candidates.push_back(rule->name);
    candidates.push_back(rule->code.substr(0, 3));
  }
  return fmt::format("`{}` is no rule code, prefix or name{}", word, did_you_mean(word, candidates));
}

namespace {

void check_words(std::span<const std::string> words, const char* option) {
  for (const std::string& word : words) {
    if (auto why = why_unknown(word)) throw Error(option, std::move(*why));
  }
}

bool any_matches(const Rule& rule, std::span<const std::string> words) {
  return std::ranges::any_of(words, [&](const std::string& word) { return matches(rule, word); });
}

}  // namespace

Selection::Selection(std::span<const std::string> select, std::span<const std::string> ignore) {
  check_words(select, "select");
  check_words(ignore, "ignore");
  for (const Rule* rule : all_rules()) {
    if ((select.empty() || any_matches(*rule, select)) && !any_matches(*rule, ignore)) chosen_.push_back(rule);
  }
  std::ranges::sort(chosen_, std::less<>{});
}

bool Selection::contains(const Rule& rule) const noexcept {
  return std::ranges::binary_search(chosen_, &rule, std::less<>{});
}

}  // namespace trtcheck::rules
