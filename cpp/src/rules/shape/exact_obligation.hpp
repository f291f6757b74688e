// What makes a condition of shape inference exact enough to be judged at sizes that nobody named.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// Bodies of loops may not run at all, and one of two branches does not.
[[nodiscard]] bool always_runs(const RuleContext& context, NodeId id);

/// Every symbol on both sides; nothing when one of them holds an unknown, or when there are very many. `left` is what
/// may still be looked at.
[[nodiscard]] std::vector<std::string_view> symbols_of(const DimTable& dims, const Obligation& obligation,
                                                       std::size_t& left);

/// Symbols in all conditions of a model that a rule looks at; a hostile one has thousands in each of thousands.
inline constexpr std::size_t kMostLookedAt = 100'000;

/// True when a declared shape that nobody could compare stands behind the node: exporters leave traced sizes there.
[[nodiscard]] bool rests_on_claims(const RuleContext& context, NodeId id);

}  // namespace trtcheck::rules
