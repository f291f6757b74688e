#include "discover/gitignore.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "discover/wildmatch.hpp"

namespace trtcheck::discover {
namespace {

namespace fs = std::filesystem;

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

/// Nothing when there is no such file or it cannot be read: Git passes over such files, too.
std::optional<std::string> read_text(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// The folder with `info/exclude`: `.git`, or where the file `.git` of a worktree or submodule points to.
fs::path git_folder(const std::string& root) {
  const fs::path git = fs::path(root) / ".git";
  std::optional<std::string> text = read_text(git);
  constexpr std::string_view kPrefix = "gitdir: ";
  if (!text || !text->starts_with(kPrefix)) return git;
  const auto line = [](const std::string& from, std::size_t start) {
    return from.substr(start, from.find('\n') - start);
  };
  const fs::path own = fs::path(root) / line(*text, kPrefix.size());
  const std::optional<std::string> common = read_text(own / "commondir");
  return common ? own / line(*common, 0) : own;
}

std::string with_slash(const std::string& folder) { return folder.ends_with('/') ? folder : folder + "/"; }

IgnoreChain add_file(IgnoreChain outer, const std::string& folder, const fs::path& file) {
  const std::optional<std::string> text = read_text(file);
  if (!text) return outer;
  return std::make_shared<const IgnoreLevel>(IgnoreLevel{std::move(outer), with_slash(folder), IgnoreFile(*text)});
}

/// A repository without any pattern is still a repository.
IgnoreChain enter_repository(const std::string& root) {
  const auto none = std::make_shared<const IgnoreLevel>(IgnoreLevel{nullptr, with_slash(root), IgnoreFile("")});
  return add_file(add_file(none, root, git_folder(root) / "info/exclude"), root, fs::path(root) / ".gitignore");
}

}  // namespace

IgnoreFile::IgnoreFile(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with('#')) continue;
    line = without_trailing_spaces(line);
    Pattern pattern;
    pattern.negated = line.starts_with('!');
    if (pattern.negated) line.remove_prefix(1);
    pattern.folders_only = line.ends_with('/');
    if (pattern.folders_only) line.remove_suffix(1);
    pattern.any_folder = line.find('/') == std::string_view::npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    if (line.empty()) continue;
    pattern.text = line;
    patterns_.push_back(std::move(pattern));
  }
}

Said IgnoreFile::judge(std::string_view path, bool is_folder) const noexcept {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern) {
    if (pattern->folders_only && !is_folder) continue;
    if (!wildmatch(pattern->text, pattern->any_folder ? name : path)) continue;
    return pattern->negated ? Said::included : Said::ignored;
  }
  return Said::nothing;
}

bool is_ignored(const IgnoreChain& chain, std::string_view path, bool is_folder) noexcept {
  for (const IgnoreLevel* level = chain.get(); level != nullptr; level = level->outer.get()) {
    const Said said = level->file.judge(path.substr(level->folder.size()), is_folder);
    if (said != Said::nothing) return said == Said::ignored;
  }
  return false;
}

IgnoreChain enter_folder(const IgnoreChain& outer, const std::string& folder) {
  if (is_there(fs::path(folder) / ".git")) return enter_repository(folder);
  return outer ? add_file(outer, folder, fs::path(folder) / ".gitignore") : nullptr;
}

IgnoreChain ignores_of(const std::string& folder) {
  std::vector<std::string> inner;
  for (std::string at = folder;;) {
    inner.push_back(at);
    if (is_there(fs::path(at) / ".git")) break;
    const std::string parent = fs::path(at).parent_path().string();
    if (parent == at || parent.empty()) return nullptr;
    at = parent;
  }
  IgnoreChain chain;
  for (auto at = inner.rbegin(); at != inner.rend(); ++at) chain = enter_folder(chain, *at);
  return chain;
}

}  // namespace trtcheck::discover
