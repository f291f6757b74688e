#include "text/python_text.hpp"

#include "text/printable.hpp"

namespace trtcheck {

std::string python_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : printable(text, text.size())) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace trtcheck
