// Which rules the user wants to hear of.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/rule.hpp>

namespace trtcheck::rules {

/// A word is a code ("WGT101", any case), a prefix of codes ("WGT", "WGT1") or a name.
[[nodiscard]] bool matches(const Rule& rule, std::string_view word) noexcept;
/// "`WGT999` is no rule code, prefix or name, did you mean `WGT101`?"; nothing when some rule matches.
[[nodiscard]] std::optional<std::string> why_unknown(std::string_view word);

class Selection {
 public:
  /// Empty `select` = all rules; `ignore` wins.
  /// @throws Error  a word that matches no rule, with a suggestion
  Selection(std::span<const std::string> select, std::span<const std::string> ignore);
  /// Everything.
  Selection() : Selection({}, {}) {}

  [[nodiscard]] bool contains(const Rule& rule) const noexcept;

 private:
  std::vector<const Rule*> chosen_;  // sorted by address
};

}  // namespace trtcheck::rules
