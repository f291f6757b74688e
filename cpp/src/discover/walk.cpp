#include "discover/walk.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "bytes/real_path.hpp"
#include "discover/gitignore.hpp"

namespace trtcheck::discover {
namespace {

namespace fs = std::filesystem;

// Folders of version control, environments and caches: nobody's models. The list of ruff (`exclude`), without `build`
// and `dist`, because that is where exports go.
constexpr std::array<std::string_view, 20> kNeverModels{
    ".bzr", ".cache",      ".direnv",  ".eggs",   ".git",          ".hg",        ".ipynb_checkpoints",
    ".nox", ".mypy_cache", ".pants.d", ".pyenv",  ".pytest_cache", ".pytype",    ".ruff_cache",
    ".svn", ".tox",        ".venv",    ".vscode", "node_modules",  "__pycache__"};

struct Folder {
  std::string shown;     ///< as the user named it, "" for the working folder
  std::string absolute;  ///< without links resolved
  IgnoreChain ignores;   ///< of this folder
};

struct Entry {
  std::string name;
  bool is_folder = false;
  bool is_link = false;
  bool is_special = false;  ///< a pipe, a device: reading it may wait for ever
};

/// The number of a file on its device: what tells that two paths lead to one folder.
using Identity = std::pair<dev_t, ino_t>;

std::optional<Identity> identity_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return Identity{info.st_dev, info.st_ino};
}

class Walk {
 public:
  explicit Walk(bool respect_gitignore) : respect_gitignore_(respect_gitignore) {}

  Walked run(const std::string& folder) {
    std::error_code ignored;
    const fs::path absolute = fs::absolute(folder, ignored).lexically_normal();
    const std::string start = without_slash_at_end(absolute.string());
    std::string shown = without_slash_at_end(folder);
    if (shown == ".") shown.clear();
    folders_.push_back({shown, start, respect_gitignore_ ? ignores_of(start) : nullptr});
    while (!folders_.empty() || !links_.empty()) {
      std::deque<Folder>& next = folders_.empty() ? links_ : folders_;
      const Folder taken = std::move(next.front());
      next.pop_front();
      look_into(taken);
    }
    std::sort(found_.models.begin(), found_.models.end());
    return std::move(found_);
  }

 private:
  void look_into(const Folder& folder) {
    const auto identity = identity_of(folder.absolute);
    if (!identity || !seen_.insert(*identity).second) return;
    for (const Entry& entry : entries_of(folder)) {
      const std::string absolute = join(folder.absolute, entry.name);
      const bool is_tool = std::find(kNeverModels.begin(), kNeverModels.end(), entry.name) != kNeverModels.end();
      if (entry.is_folder ? is_tool : entry.is_special || !is_model_name(entry.name)) continue;
      // To Git a link is no folder, wherever it leads.
      if (is_ignored(folder.ignores, absolute, entry.is_folder && !entry.is_link)) {
        found_.ignored = true;
        continue;
      }
      const std::string shown = join(folder.shown, entry.name);
      if (!entry.is_folder) {
        found_.models.push_back(shown);
        continue;
      }
      std::deque<Folder>& later = entry.is_link ? links_ : folders_;
      later.push_back({shown, absolute, respect_gitignore_ ? enter_folder(folder.ignores, absolute) : nullptr});
    }
  }

  std::vector<Entry> entries_of(const Folder& folder) {
    std::vector<Entry> entries;
    std::error_code error;
    fs::directory_iterator at(folder.absolute, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
      std::error_code ignored;
      entries.push_back(
          {at->path().filename().string(), at->is_directory(ignored), at->is_symlink(ignored), at->is_other(ignored)});
    }
    if (error) {
      found_.errors.emplace_back(folder.shown.empty() ? "." : folder.shown, "cannot be read: " + error.message());
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
    return entries;
  }

  bool respect_gitignore_;
  Walked found_;
  std::deque<Folder> folders_;
  std::deque<Folder> links_;
  std::set<Identity> seen_;
};

}  // namespace

Walked walk(const std::string& folder, bool respect_gitignore) { return Walk(respect_gitignore).run(folder); }

std::string join(const std::string& folder, const std::string& name) {
  return folder.empty() || folder.ends_with('/') ? folder + name : folder + "/" + name;
}

bool is_model_name(const std::string& name) noexcept {
  constexpr std::string_view kSuffix = ".onnx";
  return name.size() > kSuffix.size() && name.ends_with(kSuffix);
}

}  // namespace trtcheck::discover
