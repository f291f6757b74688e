// A text line by line, without a copy.
#pragma once

#include <algorithm>
#include <string_view>

namespace trtcheck {

/// The first line, without its end; `text` begins with the next one then. @pre `text` is not empty
[[nodiscard]] inline std::string_view next_line(std::string_view& text) noexcept {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace trtcheck
