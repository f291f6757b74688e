// Text as a string of Python.
#pragma once

#include <string>
#include <string_view>

namespace trtcheck {

/// In double quotes, printable whatever it holds.
[[nodiscard]] std::string python_text(std::string_view text);

}  // namespace trtcheck
