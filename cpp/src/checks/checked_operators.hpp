// Operators that rows of cpp/data/facts are about.
#pragma once

#include <string_view>

namespace trtcheck::checks {

/// Sorted.
inline constexpr std::string_view kCheckedOperators[] = {
#include "checked_operators.inc"
};

}  // namespace trtcheck::checks
