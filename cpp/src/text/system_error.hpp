// What the system says of an error number, as our messages write it.
#pragma once

#include <cctype>
#include <string>
#include <system_error>

namespace trtcheck {

/// "no such file or directory"
inline std::string system_error_text(int code) {
  std::string text = std::generic_category().message(code);
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace trtcheck
