#include "text/glob.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include <fmt/core.h>

#include <trtcheck/error.hpp>

namespace trtcheck {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

/// Length of the UTF-8 character at `at`; a byte that starts none counts for itself.
std::size_t character_length(std::string_view text, std::size_t at) noexcept {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i >= text.size() || (static_cast<unsigned char>(text[at + i]) & 0xc0U) != 0x80U) return 1;
  }
  return length;
}

/// A character of the pattern, `\` resolved. UTF-8 sorts like the code points that it stands for.
std::string_view take_literal(std::string_view pattern, std::size_t& at) noexcept {
  if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
  const std::string_view taken = pattern.substr(at, character_length(pattern, at));
  at += taken.size();
  return taken;
}

struct Set {
  bool closed = false;    ///< it has its `]`
  bool ordered = true;    ///< no range runs backwards
  bool contains = false;  ///< the character that was asked for
  std::size_t end = 0;    ///< behind the `]`
};

/// Reads the set whose `[` stands at `at`. A `]` right behind the `[` is one of its characters.
Set read_set(std::string_view pattern, std::size_t at, std::string_view character) noexcept {
  Set set;
  ++at;
  const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  if (negated) ++at;
  bool hit = false;
  for (bool first = true; at < pattern.size(); first = false) {
    if (pattern[at] == ']' && !first) {
      set.closed = true;
      set.end = at + 1;
      set.contains = hit != negated;
      return set;
    }
    const std::string_view low = take_literal(pattern, at);
    std::string_view high = low;
    if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') {
      ++at;
      high = take_literal(pattern, at);
    }
    if (high < low) set.ordered = false;
    hit = hit || (low <= character && character <= high);
  }
  return set;
}

/// Where the pattern goes on when its part at `at`, which is no star, takes the character; nothing when it does not.
std::optional<std::size_t> step(std::string_view pattern, std::size_t at, std::string_view character) noexcept {
  if (pattern[at] == '?') return at + 1;
  if (pattern[at] == '[') {
    const Set set = read_set(pattern, at, character);
    if (set.closed) return set.contains ? std::optional(set.end) : std::nullopt;
  }
  return take_literal(pattern, at) == character ? std::optional(at) : std::nullopt;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) noexcept {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = kNone;  // behind the last star: only that one ever needs to take more
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_text = t;
      continue;
    }
    const std::string_view character = text.substr(t, character_length(text, t));
    if (const auto next = p < pattern.size() ? step(pattern, p, character) : std::nullopt) {
      p = *next;
      t += character.size();
      continue;
    }
    if (star == kNone) return false;
    p = star;
    star_text += character_length(text, star_text);
    t = star_text;
  }
  return pattern.find_first_not_of('*', p) == kNone;
}

void check_glob(std::string_view pattern) {
  const auto refuse = [](std::string_view cause) { throw Error("pattern", std::string(cause)); };
  if (pattern.empty()) refuse("an empty pattern matches nothing");
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] == '\\' && at + 1 == pattern.size()) {
      refuse(fmt::format("`{}`: nothing follows the `\\` at its end", pattern));
    }
    if (pattern[at] != '[') {
      static_cast<void>(take_literal(pattern, at));
      continue;
    }
    const Set set = read_set(pattern, at, {});
    if (!set.closed) refuse(fmt::format("`{}`: a `[` has no `]` (an ordinary one is written `\\[`)", pattern));
    if (!set.ordered) refuse(fmt::format("`{}`: a range between `[` and `]` runs backwards", pattern));
    at = set.end;
  }
}

}  // namespace trtcheck
