// Text without blanks around it.
#pragma once

#include <string_view>

namespace trtcheck {

/// @param blanks  what counts as one
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") noexcept {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace trtcheck
