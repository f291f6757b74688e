#include "report/escape.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace trtcheck::report {
namespace {

constexpr std::string_view kNonCharacters[] = {"\xef\xbf\xbe", "\xef\xbf\xbf"};  // U+FFFE, U+FFFF

bool is_alphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Without a meaning in the middle of a line. A dot behind a w and a colon before a slash could begin an address, which
/// GitHub turns into a link.
bool is_plain(std::string_view text, std::size_t i) {
  const char c = text[i];
  if (c == '.') return i == 0 || (text[i - 1] != 'w' && text[i - 1] != 'W');
  if (c == ':') return i + 1 == text.size() || text[i + 1] != '/';
  return is_alphanumeric(c) || static_cast<unsigned char>(c) >= 128 ||
         std::string_view(" ,;/-+=()'\"?").find(c) != std::string_view::npos;
}

/// A character reference is text wherever it stands (CommonMark 0.31, 2.5), so punctuation cannot make structure.
std::string references(std::string_view printed) {
  std::string out;
  out.reserve(printed.size() * 2);
  for (std::size_t i = 0; i < printed.size(); ++i) {
    if (is_plain(printed, i)) {
      out += printed[i];
    } else {
      out += fmt::format("&#{};", static_cast<int>(static_cast<unsigned char>(printed[i])));
    }
  }
  return out;
}

/// `text` outside and inside of pairs of backticks; an odd one at the end is text.
template <class Outside, class Inside>
std::string spans(std::string_view text, Outside outside, Inside inside) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('`', at);
    const std::size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos) return out + outside(text.substr(at));
    out += outside(text.substr(at, open - at));
    out += inside(text.substr(open + 1, close - open - 1));
    at = close + 1;
  }
  return out;
}

/// GitHub looks for @names, #numbers and $formulas$ in the text of the finished page, but not in code.
std::string without_mentions(std::string_view printed) {
  std::string out;
  for (std::size_t i = 0; i < printed.size();) {
    const std::size_t next = std::min(printed.find_first_of("@#$", i), printed.size());
    out += references(printed.substr(i, next - i));
    if (next < printed.size()) out += "<code>" + references(printed.substr(next, 1)) + "</code>";
    i = next + 1;
  }
  return out;
}

}  // namespace

std::string xml_escape(std::string_view text, std::size_t limit) {
  std::string out = escape_markup(text, limit);
  for (const std::string_view bad : kNonCharacters) {
    for (std::size_t at = out.find(bad); at != std::string::npos; at = out.find(bad, at)) {
      out.replace(at, bad.size(), bad == kNonCharacters[0] ? "\\u{fffe}" : "\\u{ffff}");
    }
  }
  return out;
}

std::string markdown_escape(std::string_view text, std::size_t limit) {
  return without_mentions(printable(text, limit));
}

std::string markdown_code(std::string_view text, std::size_t limit) {
  return "<code>" + references(printable(text, limit)) + "</code>";
}

std::string markdown_prose(std::string_view text, std::size_t limit) {
  return spans(printable(text, limit), without_mentions,
               [](std::string_view name) { return "<code>" + references(name) + "</code>"; });
}

std::string markdown_spans(std::string_view text, std::size_t limit) {
  // Nothing between two backticks is a backtick, so one on each side is enough; "`" + " a " + "`" would lose its
  // blanks.
  return spans(printable(text, limit), references, [](std::string_view name) {
    const bool empty = name.find_first_not_of(' ') == std::string_view::npos;
    const bool padded = !empty && name.starts_with(' ') && name.ends_with(' ');
    return empty    ? "&#96;" + std::string(name) + "&#96;"
           : padded ? fmt::format("` {} `", name)
                    : fmt::format("`{}`", name);
  });
}

std::string uri_path(std::string_view path) {
  const std::size_t first_slash = std::min(path.find('/'), path.size());
  std::string out;
  out.reserve(path.size());
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    const bool plain = is_alphanumeric(c) || std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain || (c == ':' && i > first_slash)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

}  // namespace trtcheck::report
