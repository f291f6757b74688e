// The kinds of changes.
#pragma once

#include <string_view>

#include <trtcheck/simplify.hpp>

namespace trtcheck::simplifying {

/// @pre there is such a kind
[[nodiscard]] const SimplificationInfo& kind_named(std::string_view name);

}  // namespace trtcheck::simplifying
