// Is a name UTF-8?
#pragma once

#include <string_view>

namespace trtcheck::rules {

/// Well-formed UTF-8 as RFC 3629 has it: shortest forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

}  // namespace trtcheck::rules
