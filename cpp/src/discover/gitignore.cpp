#include "discover/gitignore.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

namespace trtcheck::discover {
namespace {

namespace fs = std::filesystem;

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
  fs::path git = fs::path(root) / ".git";
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
  return std::make_shared<const IgnoreLevel>(IgnoreLevel{std::move(outer), with_slash(folder), IgnorePatterns(*text)});
}

/// A repository without any pattern is still a repository.
IgnoreChain enter_repository(const std::string& root) {
  const auto none = std::make_shared<const IgnoreLevel>(IgnoreLevel{nullptr, with_slash(root), IgnorePatterns("")});
  return add_file(add_file(none, root, git_folder(root) / "info/exclude"), root, fs::path(root) / ".gitignore");
}

}  // namespace

bool is_ignored(const IgnoreChain& chain, std::string_view path, bool is_folder) noexcept {
  for (const IgnoreLevel* level = chain.get(); level != nullptr; level = level->outer.get()) {
    const Said said = level->patterns.judge(path.substr(level->folder.size()), is_folder);
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
