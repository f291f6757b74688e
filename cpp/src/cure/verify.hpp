// Whether a repaired model is what the cures promised.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cure/attempt.hpp"
#include "cure/state.hpp"

namespace trtcheck::cure {

/// Why the attempts are to be taken back: their finding is still there, a worse one came up, or a value that both
/// models have is of another type or shape. Nothing: they may stay.
[[nodiscard]] std::optional<std::string> why_not(const State& before, const State& after,
                                                 std::span<const Attempt> attempts);

}  // namespace trtcheck::cure
