// A line of a log of trtexec or TensorRT, without what every line has in front.
#pragma once

#include <string_view>

namespace trtcheck {

struct PrintedLine {
  char severity = '\0';   ///< one of V, I, W, E, F; '\0' where none is given
  std::string_view text;  ///< without time stamp, severity and the end of the line
  /// Whether it may tell of a failure: all but verbose and info lines.
  [[nodiscard]] bool counts() const noexcept { return severity != 'V' && severity != 'I'; }
};

/// "[11/21/2026-17:58:13] [E] [TRT] text" -> 'E' and "text".
[[nodiscard]] PrintedLine printed_line(std::string_view text);

}  // namespace trtcheck
