// Which rules the user wants to hear of.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trtcheck/finding.hpp>
#include <trtcheck/rule.hpp>

namespace trtcheck::engine {

/// A word is a code ("WGT101", any case), a prefix of codes ("WGT", "WGT1"), a name, or the id of a fact ("pad-mode"),
/// which may follow the code or name of its rule after a colon ("OPS401:pad-mode").
[[nodiscard]] bool matches(const Finding& finding, std::string_view word) noexcept;
/// "pad-mode" of "OPS401:pad-mode" and of "pad-mode"; nothing: the word is about no single fact.
[[nodiscard]] std::optional<std::string_view> fact_in(std::string_view word) noexcept;
/// The rule that a whole code, a name or a fact is about; nullptr: none, or several.
[[nodiscard]] const Rule* rule_of(std::string_view word) noexcept;
/// The word is about the rule, or about one of its facts.
[[nodiscard]] bool names(const Rule& rule, std::string_view word) noexcept;
/// "`WGT999` is no rule code, prefix, name or fact, did you mean `WGT101`?"; nothing when some rule matches.
[[nodiscard]] std::optional<std::string> why_unknown(std::string_view word);

class Selection {
 public:
  /// Empty `select` = all rules; `ignore` wins.
  /// @throws Error  a word that matches no rule, with a suggestion
  Selection(std::span<const std::string> select, std::span<const std::string> ignore);
  /// Everything.
  Selection() : Selection({}, {}) {}

  /// The rule, or some of its facts.
  [[nodiscard]] bool contains(const Rule& rule) const noexcept;
  [[nodiscard]] bool contains(const Finding& finding) const noexcept;

 private:
  bool is_all_ = false;                     // nothing was said about rules
  std::vector<const Rule*> chosen_;         // else: sorted by address
  std::vector<std::string> select_facts_;   // all words of `select`, when one is about a fact
  std::vector<std::string> ignored_facts_;  // words of `ignore` about facts
};

}  // namespace trtcheck::engine
