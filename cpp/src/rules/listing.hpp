// What a rule that counts has to know of the report.
#pragma once

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// The user asked for every finding one by one (`CheckOptions::most_of_a_rule` is 0): no finding stands for several.
[[nodiscard]] bool lists_all(const RuleContext& context) noexcept;

/// Another finding of this rule, at its own severity, would be counted only: nobody reads its texts.
[[nodiscard]] bool is_beyond_listing(const RuleContext& context);

}  // namespace trtcheck::rules
