#include "text/ignore_patterns.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include <trtcheck/error.hpp>

#include "text/lines.hpp"
#include "text/wildmatch.hpp"

namespace trtcheck {
namespace {

/// Spaces at the end do not count unless a backslash stands before them.
std::string_view without_trailing_spaces(std::string_view line) noexcept {
  std::size_t end = 0;
  bool escaped = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (escaped || line[i] != ' ') end = i + 1;
    escaped = !escaped && line[i] == '\\';
  }
  return line.substr(0, end);
}

/// What matches no path, however its wildcards are read.
void check_parts(std::string_view path, std::string_view whole) {
  const auto refuse = [whole](std::string_view cause) {
    throw Error("pattern", fmt::format("`{}`: {}", whole, cause));
  };
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t slash = std::min(path.find('/', from), path.size());
    const std::string_view part = path.substr(from, slash - from);
    if (part.empty()) refuse("nothing stands between two slashes");
    if (part == ".") refuse("`.` is no part of a path; `/a.onnx` is a.onnx in the folder of the file");
    if (part == "..") refuse("`..` leads out of the folder of the file");
    from = slash + 1;
  }
}

}  // namespace

IgnorePatterns::IgnorePatterns(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (!text.empty()) {
    std::string_view line = next_line(text);
    if (line.ends_with('\r')) line.remove_suffix(1);
    add(line);
  }
}

void IgnorePatterns::add(std::string_view line) {
  if (line.starts_with('#')) return;
  line = without_trailing_spaces(line);
  Pattern pattern;
  pattern.negated = line.starts_with('!');
  if (pattern.negated) line.remove_prefix(1);
  pattern.folders_only = line.ends_with('/');
  if (pattern.folders_only) line.remove_suffix(1);
  pattern.any_folder = line.find('/') == std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return;
  pattern.text = line;
  patterns_.push_back(std::move(pattern));
}

Said IgnorePatterns::judge(std::string_view path, bool is_folder) const noexcept {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern) {
    if (pattern->folders_only && !is_folder) continue;
    if (!wildmatch(pattern->text, pattern->any_folder ? name : path)) continue;
    return pattern->negated ? Said::included : Said::ignored;
  }
  return Said::nothing;
}

bool IgnorePatterns::ignores(std::string_view path) const noexcept {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    if (judge(path.substr(0, slash), true) == Said::ignored) return true;
  }
  return judge(path, false) == Said::ignored;
}

void check_ignore_pattern(std::string_view line) {
  const auto refuse = [line](std::string_view cause) { throw Error("pattern", fmt::format("`{}`: {}", line, cause)); };
  std::string_view rest = without_trailing_spaces(line);
  if (rest.empty()) throw Error("pattern", "an empty pattern matches nothing");
  if (rest.starts_with('#')) refuse("a `#` in front makes a comment of it (an ordinary one is written `\\#`)");
  if (rest.starts_with('!')) rest.remove_prefix(1);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.starts_with('/')) rest.remove_prefix(1);
  if (rest.empty()) refuse("it names nothing");
  check_parts(rest, line);
  if (const auto why = why_malformed(rest)) refuse(*why);
}

}  // namespace trtcheck
