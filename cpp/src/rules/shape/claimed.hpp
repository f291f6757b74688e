// Which conflicts and obligations of shapes other rules speak for.
#pragma once

#include <algorithm>
#include <string_view>

#include <trtcheck/rule.hpp>

namespace trtcheck::rules {

/// Some rule for the operator has the id among its `conflicts`.
[[nodiscard]] inline bool is_claimed(ConflictId id, std::string_view op_type) {
  if (id == ConflictId::other) return false;
  return std::ranges::any_of(all_rules(), [&](const Rule* rule) {
    return std::ranges::find(rule->conflicts, id) != rule->conflicts.end() &&
           std::ranges::find(rule->ops, op_type) != rule->ops.end();
  });
}

}  // namespace trtcheck::rules
