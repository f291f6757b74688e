// A word of a POSIX shell, in which nothing has a meaning of its own.
#pragma once

#include <string>
#include <string_view>

namespace trtcheck {

/// 'net.onnx', 'it'\''s.onnx'
[[nodiscard]] inline std::string single_quoted(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace trtcheck
