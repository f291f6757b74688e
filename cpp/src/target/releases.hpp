// Releases that the tables do not list.
#pragma once

#include <trtcheck/target.hpp>

namespace trtcheck {

/// Whose facts count: the newest known release that is not newer, the oldest one when all of them are.
TrtVersion known_release(TrtVersion release) noexcept;

/// "rtx-1.7". @pre it is one of known_rtx_releases()
std::string_view rtx_name(TrtVersion release) noexcept;

}  // namespace trtcheck
