// Releases that the tables do not list.
#pragma once

#include <trtcheck/target.hpp>

namespace trtcheck {

/// Whose facts count: the newest known release that is not newer, the oldest one when all of them are.
TrtVersion known_release(TrtVersion release) noexcept;

}  // namespace trtcheck
