#include "text/wildmatch.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <optional>

namespace trtcheck {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

struct PosixClass {
  std::string_view name;
  int (*contains)(int);
};

constexpr std::array<PosixClass, 12> kClasses{{{"alnum", std::isalnum},
                                               {"alpha", std::isalpha},
                                               {"blank", std::isblank},
                                               {"cntrl", std::iscntrl},
                                               {"digit", std::isdigit},
                                               {"graph", std::isgraph},
                                               {"lower", std::islower},
                                               {"print", std::isprint},
                                               {"punct", std::ispunct},
                                               {"space", std::isspace},
                                               {"upper", std::isupper},
                                               {"xdigit", std::isxdigit}}};

/// What stands behind a set, once it has said whether the byte is in it.
struct SetAnswer {
  bool contains = false;
  std::size_t end = 0;
};

/// One pass over the set whose `[` stands at `at`.
class SetReader {
 public:
  SetReader(std::string_view pattern, std::size_t at, unsigned char byte)
      : pattern_(pattern), at_(at + 1), byte_(byte) {}

  /// Nothing when the set makes no sense; then `problem()` says why.
  std::optional<SetAnswer> read() {
    const bool negated = at_ < pattern_.size() && (pattern_[at_] == '!' || pattern_[at_] == '^');
    if (negated) ++at_;
    for (bool first = true; at_ < pattern_.size(); first = false) {
      if (pattern_[at_] == ']' && !first) return SetAnswer{hit_ != negated, at_ + 1};
      const bool read = pattern_.substr(at_).starts_with("[:") ? read_class() : read_range();
      if (!read) return std::nullopt;
    }
    problem_ = kOpen;
    return std::nullopt;
  }

  /// Also of a set that can be read: a range that holds nothing.
  [[nodiscard]] std::string_view problem() const noexcept { return problem_; }

 private:
  static constexpr std::string_view kOpen = "a `[` has no `]` (an ordinary one is written `\\[`)";

  bool read_class() {
    const std::size_t close = pattern_.find(']', at_ + 2);
    if (close == kNowhere) {
      problem_ = kOpen;
      return false;
    }
    if (pattern_[close - 1] != ':' || close - 1 < at_ + 2) return read_range();  // "[[:]": ordinary bytes
    const std::string_view name = pattern_.substr(at_ + 2, close - 1 - (at_ + 2));
    for (const PosixClass& known : kClasses) {
      if (known.name != name) continue;
      hit_ = hit_ || known.contains(byte_) != 0;
      at_ = close + 1;
      return true;
    }
    problem_ = "there is no such class of characters between `[:` and `:]`";
    return false;
  }

  bool read_range() {
    const auto low = take();
    if (!low) return false;
    auto high = low;
    if (at_ + 1 < pattern_.size() && pattern_[at_] == '-' && pattern_[at_ + 1] != ']') {
      ++at_;
      high = take();
      if (!high) return false;
    }
    hit_ = hit_ || (*low <= byte_ && byte_ <= *high);
    if (*high < *low) problem_ = "a range between `[` and `]` runs backwards";
    return true;
  }

  std::optional<unsigned char> take() {
    if (pattern_[at_] == '\\' && ++at_ == pattern_.size()) {
      problem_ = kOpen;
      return std::nullopt;
    }
    return static_cast<unsigned char>(pattern_[at_++]);
  }

  std::string_view pattern_;
  std::size_t at_;
  unsigned char byte_;
  bool hit_ = false;
  std::string_view problem_;
};

/// Where the pattern goes on when its part at `at`, which is no star, takes the byte; nothing when it does not.
std::optional<std::size_t> step(std::string_view pattern, std::size_t at, char byte) {
  switch (pattern[at]) {
    case '?':
      return byte == '/' ? std::nullopt : std::optional(at + 1);
    case '[': {
      const auto answer = SetReader(pattern, at, static_cast<unsigned char>(byte)).read();
      return answer && answer->contains && byte != '/' ? std::optional(answer->end) : std::nullopt;
    }
    case '\\':
      if (++at == pattern.size()) return std::nullopt;
      break;
    default:
      break;
  }
  return pattern[at] == byte ? std::optional(at + 1) : std::nullopt;
}

/// Where to go on when the rest of a pattern behind a wildcard does not match.
struct Retry {
  std::size_t pattern = kNowhere;
  std::size_t path = 0;
};

}  // namespace

bool wildmatch(std::string_view pattern, std::string_view path) noexcept {
  Retry star;  // takes one byte more
  Retry deep;  // takes one part of the path more
  std::size_t p = 0;
  std::size_t t = 0;
  while (t < path.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      const std::size_t end = std::min(pattern.find_first_not_of('*', p), pattern.size());
      const bool is_part = (p == 0 || pattern[p - 1] == '/') && (end == pattern.size() || pattern[end] == '/');
      if (end - p >= 2 && is_part) {
        if (end == pattern.size()) return true;
        p = end + 1;
        deep = {p, t};
        star = {};
      } else {
        p = end;
        star = {p, t};
      }
      continue;
    }
    if (const auto next = p < pattern.size() ? step(pattern, p, path[t]) : std::nullopt) {
      p = *next;
      ++t;
      continue;
    }
    if (star.pattern != kNowhere && path[star.path] != '/') {
      p = star.pattern;
      t = ++star.path;
      continue;
    }
    const std::size_t slash = deep.pattern == kNowhere ? kNowhere : path.find('/', deep.path);
    if (slash == kNowhere) return false;
    star = {};
    p = deep.pattern;
    t = deep.path = slash + 1;
  }
  return pattern.find_first_not_of('*', p) == kNowhere;
}

std::optional<std::string_view> why_malformed(std::string_view pattern) noexcept {
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] == '\\') {
      if (++at == pattern.size()) return "nothing follows the `\\` at its end";
      continue;
    }
    if (pattern[at] != '[') continue;
    SetReader set(pattern, at, 0);
    const auto answer = set.read();
    if (!set.problem().empty()) return set.problem();
    at = answer->end - 1;
  }
  return std::nullopt;
}

}  // namespace trtcheck
