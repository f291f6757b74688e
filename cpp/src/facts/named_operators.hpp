// Operators that facts of cpp/data/facts are about.
#pragma once

#include <string_view>

namespace trtcheck::facts {

/// Sorted.
inline constexpr std::string_view kNamedOperators[] = {
#include "checked_operators.inc"
};

}  // namespace trtcheck::facts
