#pragma once

#include <string_view>

#include <trtcheck/export.hpp>

namespace trtcheck {

/// "0.1.0", the version of the library.
TRTCHECK_API std::string_view version() noexcept;

}  // namespace trtcheck
