// Which rules the user wants to hear of.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <trtcheck/rule.hpp>

namespace trtcheck::rules {

class Selection {
 public:
  /// Each word is a code ("WGT101", any case), a prefix of codes ("WGT", "WGT1") or a name. Empty `select` = all
  /// rules; `ignore` wins.
  /// @throws Error  a word that matches no rule, with a suggestion
  Selection(std::span<const std::string> select, std::span<const std::string> ignore);
  /// Everything.
  Selection() : Selection({}, {}) {}

  [[nodiscard]] bool contains(const Rule& rule) const noexcept;

 private:
  std::vector<const Rule*> chosen_;  // sorted by address
};

}  // namespace trtcheck::rules
