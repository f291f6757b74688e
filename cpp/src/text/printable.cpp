#include "text/printable.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <system_error>

#include "text/json_text.hpp"

namespace trtcheck {
namespace {

constexpr char32_t kInvalid = 0xffffffffU;

struct Decoded {
  char32_t code = kInvalid;
  std::size_t length = 1;
};

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// Strict: overlong forms, surrogates and numbers beyond U+10FFFF are invalid (RFC 3629).
Decoded decode(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() - at < length) return {};
  char32_t code = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned next = byte_at(text, at + i);
    if ((next & 0xc0U) != 0x80U) return {};
    code = (code << 6U) | (next & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {code, length};
}

struct CodeRange {
  char32_t first;
  char32_t last;
};

template <std::size_t N>
bool contains(const std::array<CodeRange, N>& ranges, char32_t code) {
  const auto next = std::upper_bound(ranges.begin(), ranges.end(), code,
                                     [](char32_t value, const CodeRange& range) { return value < range.first; });
  return next != ranges.begin() && code <= std::prev(next)->last;
}

// Controls, line separators, and format characters that are invisible or change the direction of what follows
// (Unicode general categories Cc, Cf, Zl, Zp; "Trojan Source", CVE-2021-42574), and what no XML document may hold.
constexpr std::array<CodeRange, 17> kUnsafe{{{0x0, 0x1f},
                                             {0x7f, 0x9f},
                                             {0xad, 0xad},
                                             {0x61c, 0x61c},
                                             {0x180e, 0x180e},
                                             {0x200b, 0x200f},
                                             {0x2028, 0x202e},
                                             {0x2060, 0x206f},
                                             {0xfeff, 0xfeff},
                                             {0xfff9, 0xfffb},
                                             {0xfffe, 0xffff},
                                             {0x110bd, 0x110bd},
                                             {0x1bca0, 0x1bca3},
                                             {0x1d173, 0x1d17a},
                                             {0xe0000, 0xe0fff},
                                             {0xf0000, 0xffffd},
                                             {0x100000, 0x10fffd}}};

// Nonspacing marks of the scripts that use them most (general category Mn); a mark left out costs a column.
constexpr std::array<CodeRange, 12> kCombining{{{0x300, 0x36f},
                                                {0x483, 0x489},
                                                {0x591, 0x5bd},
                                                {0x610, 0x61a},
                                                {0x64b, 0x65f},
                                                {0x900, 0x902},
                                                {0xe34, 0xe3a},
                                                {0xe47, 0xe4e},
                                                {0x1ab0, 0x1aff},
                                                {0x1dc0, 0x1dff},
                                                {0x20d0, 0x20ff},
                                                {0xfe20, 0xfe2f}}};

// East Asian Wide and Fullwidth (Unicode Standard Annex 11), emoji included, small gaps closed.
constexpr std::array<CodeRange, 13> kWide{{{0x1100, 0x115f},
                                           {0x231a, 0x231b},
                                           {0x2e80, 0x303e},
                                           {0x3041, 0x33ff},
                                           {0x3400, 0x4dbf},
                                           {0x4e00, 0xa4cf},
                                           {0xa960, 0xa97f},
                                           {0xac00, 0xd7a3},
                                           {0xf900, 0xfaff},
                                           {0xfe30, 0xfe6f},
                                           {0xff00, 0xff60},
                                           {0x1f300, 0x1faff},
                                           {0x20000, 0x3fffd}}};

std::string escape(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  return code < 0x80 ? fmt::format("\\x{:02x}", static_cast<std::uint32_t>(code))
                     : fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(code));
}

constexpr std::string_view kDots = "... (", kBytes = " bytes)";

/// What was cut before tells how long it was.
std::size_t full_length(std::string_view text) {
  const std::size_t dots = text.ends_with(kBytes) ? text.rfind(kDots) : std::string_view::npos;
  if (dots == std::string_view::npos) return text.size();
  const char* const end = text.data() + text.size() - kBytes.size();
  std::size_t length = 0;
  const auto [stop, error] = std::from_chars(text.data() + dots + kDots.size(), end, length);
  return error == std::errc{} && stop == end ? length : text.size();
}

/// Of a name that is a little too long nobody misses the length.
std::string cut_mark(std::string_view text) {
  const std::size_t length = full_length(text);
  return length <= kMaxKeptName ? "..." : fmt::format("{}{}{}", kDots, length, kBytes);
}

/// At most `limit`, and not inside of a character.
std::size_t whole_characters(std::string_view text, std::size_t limit) {
  std::size_t end = limit;
  while (end > 0 && limit - end < 3 && (byte_at(text, end) & 0xc0U) == 0x80U) --end;
  return end;
}

/// Letters, digits and signs of ASCII, and blanks: nearly every text is no more than that.
bool is_plain(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

/// All below 0x80, eight bytes at a time.
bool is_ascii(std::string_view text) noexcept {
  std::uint64_t seen = 0;
  std::uint64_t word = 0;
  if (text.size() < sizeof word) {
    for (const char c : text) seen = seen << 8 | static_cast<unsigned char>(c);
    return (seen & 0x8080'8080'8080'8080U) == 0;
  }
  const char* const last = text.data() + text.size() - sizeof word;
  for (const char* at = text.data(); at < last; at += sizeof word) {
    std::memcpy(&word, at, sizeof word);
    seen |= word;
  }
  std::memcpy(&word, last, sizeof word);  // some of it again, if need be
  seen |= word;
  return (seen & 0x8080'8080'8080'8080U) == 0;
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  if (is_ascii(text)) return true;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, length] = decode(text, at);
    if (code == kInvalid) return false;
    at += length;
  }
  return true;
}

void shorten(std::string& text, std::size_t limit) {
  if (text.size() <= limit) return;
  const std::string mark = cut_mark(text);
  text.resize(whole_characters(text, limit));
  text += mark;
  text.shrink_to_fit();
}

std::string shortened(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  return std::string(text.substr(0, whole_characters(text, limit))) + cut_mark(text);
}

std::string printable(std::string_view text, std::size_t limit) {
  if (text.size() <= limit && is_plain(text)) return std::string(text);
  std::string out;
  out.reserve(std::min(text.size(), limit));
  for (std::size_t i = 0; i < text.size();) {
    const Decoded next = decode(text, i);
    std::string piece;
    if (next.code == kInvalid) {
      piece = fmt::format("\\x{:02x}", byte_at(text, i));
    } else if (contains(kUnsafe, next.code)) {
      piece = escape(next.code);
    } else {
      piece = text.substr(i, next.length);
    }
    if (out.size() + piece.size() > limit) return out + cut_mark(text);
    out += piece;
    i += next.length;
  }
  return out;
}

std::string valid_utf8(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Decoded next = decode(text, i);
    if (next.code == kInvalid) {
      out += fmt::format("\\x{:02x}", byte_at(text, i));
    } else {
      out += text.substr(i, next.length);
    }
    i += next.length;
  }
  return out;
}

std::string with_escapes(std::string json) {
  constexpr char kDelete = 0x7f;
  if (is_ascii(json) && json.find(kDelete) == std::string::npos) return json;
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size();) {
    const Decoded next = decode(json, i);
    const auto code = static_cast<std::uint32_t>(next.code);
    if (next.code == kInvalid || code < 0x7f || !contains(kUnsafe, next.code)) {
      out.append(json, i, next.length);
    } else if (code < 0x10000) {
      out += fmt::format("\\u{:04x}", code);
    } else {
      const std::uint32_t rest = code - 0x10000;
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (rest >> 10U), 0xdc00 + (rest & 0x3ffU));
    }
    i += next.length;
  }
  return out;
}

std::string escape_markup(std::string_view text, std::size_t limit) {
  std::string out;
  for (const char c : printable(text, limit)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::size_t display_width(std::string_view text) noexcept {
  if (is_plain(text)) return text.size();
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Decoded next = decode(text, i);
    columns += contains(kCombining, next.code) ? 0U : contains(kWide, next.code) ? 2U : 1U;
    i += next.length;
  }
  return columns;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines{""};
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t columns = display_width(word);
    if (used > 0 && used + 1 + columns > width) {
      lines.emplace_back();
      used = 0;
    }
    if (used > 0) {
      lines.back() += ' ';
      ++used;
    }
    lines.back() += word;
    used += columns;
  }
  return lines;
}

}  // namespace trtcheck
