#include "explain/printed_line.hpp"

#include <algorithm>

namespace trtcheck {

PrintedLine printed_line(std::string_view text) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  PrintedLine line{'\0', text};
  while (line.text.starts_with('[')) {
    const std::size_t end = line.text.find(']');
    if (end == std::string_view::npos) break;
    const std::string_view tag = line.text.substr(1, end - 1);
    // "[8] Assertion failed" is the parser's error code.
    const bool is_stamp = tag.find_first_of(":/") != std::string_view::npos && tag.size() > 7;
    if (tag.size() == 1 && std::string_view("VIWEF").find(tag[0]) != std::string_view::npos) {
      line.severity = tag[0];
    } else if (tag != "TRT" && !is_stamp) {
      break;
    }
    line.text.remove_prefix(end + 1);
    line.text.remove_prefix(std::min(line.text.find_first_not_of(' '), line.text.size()));
  }
  return line;
}

}  // namespace trtcheck
