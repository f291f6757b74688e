#include "settings/path_patterns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include <trtcheck/error.hpp>

#include "text/glob.hpp"

namespace trtcheck::settings {
namespace {

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t slash = std::min(path.find('/', from), path.size());
    if (slash > from) parts.push_back(path.substr(from, slash - from));
    from = slash + 1;
  }
  return parts;
}

/// Like the matcher of names, part by part: only the last `**` ever needs to take more.
bool parts_match(std::span<const std::string> pattern, std::span<const std::string_view> path) noexcept {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = pattern.size() + 1;  // behind the last `**`
  std::size_t star_path = 0;
  while (t < path.size()) {
    if (p < pattern.size() && pattern[p] == "**") {
      star = ++p;
      star_path = t;
      if (p == pattern.size()) return true;  // "a/**" is what lies in a, at any depth
    } else if (p < pattern.size() && glob_matches(pattern[p], path[t])) {
      ++p;
      ++t;
    } else if (star > pattern.size()) {
      return false;
    } else {
      p = star;
      t = ++star_path;
    }
  }
  return p == pattern.size();
}

}  // namespace

PathGlob::PathGlob(std::string_view pattern) {
  const auto refuse = [whole = pattern](std::string_view cause) {
    throw Error("pattern", fmt::format("`{}`: {}", whole, cause));
  };
  check_glob(pattern);
  std::string_view rest = pattern;
  if (rest.starts_with('!')) {
    negated_ = true;
    rest.remove_prefix(1);
  }
  folders_only_ = rest.ends_with('/');
  if (folders_only_) rest.remove_suffix(1);
  const bool is_path = rest.find('/') != std::string_view::npos;
  const std::vector<std::string_view> parts = split(rest);
  if (std::ranges::all_of(parts, [](std::string_view part) { return part == "."; })) refuse("it names nothing");
  if (!is_path) parts_.emplace_back("**");
  for (const std::string_view part : parts) {
    if (part == "..") refuse("`..` leads out of the folder of the file");
    if (part == ".") continue;
    check_glob(part);  // a set cannot hold a slash
    if (part == "**" && !parts_.empty() && parts_.back() == "**") continue;
    parts_.emplace_back(part);
  }
}

bool PathGlob::matches(std::string_view path, bool is_folder) const {
  if (folders_only_ && !is_folder) return false;
  return parts_match(parts_, split(path));
}

Said judge(std::span<const PathGlob> patterns, std::string_view path, bool is_folder) {
  for (auto pattern = patterns.rbegin(); pattern != patterns.rend(); ++pattern) {
    if (pattern->matches(path, is_folder)) return pattern->is_negated() ? Said::included : Said::excluded;
  }
  return Said::nothing;
}

bool excludes(std::span<const PathGlob> patterns, std::string_view path) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    if (judge(patterns, path.substr(0, slash), true) == Said::excluded) return true;
  }
  return judge(patterns, path, false) == Said::excluded;
}

}  // namespace trtcheck::settings
