#include "discover/expand.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

#include <trtcheck/error.hpp>

#include "discover/walk.hpp"
#include "text/glob.hpp"

namespace trtcheck::discover {
namespace {

namespace fs = std::filesystem;
using Parts = std::span<const std::string>;

std::vector<std::string> split(const std::string& pattern) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= pattern.size();) {
    const std::size_t slash = std::min(pattern.find('/', from), pattern.size());
    std::string part = pattern.substr(from, slash - from);
    const bool repeated = part == "**" && !parts.empty() && parts.back() == "**";
    if (!part.empty() && !repeated) parts.push_back(std::move(part));
    from = slash + 1;
  }
  return parts;
}

/// A folder that cannot be read has no entries, as in a shell.
template <class Visit>
void each_entry(const std::string& folder, Visit visit) {
  std::error_code error;
  fs::directory_iterator at(folder.empty() ? "." : folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) visit(*at, at->path().filename().string());
}

void expand_into(std::vector<std::string>& found, const std::string& folder, Parts parts) {
  std::error_code ignored;
  const std::string& part = parts.front();
  const Parts rest = parts.subspan(1);
  if (part == "**") {
    // At the end, the models in any folder; else any folder in the place of `**`.
    const std::string any = "*";
    expand_into(found, folder, rest.empty() ? Parts(&any, 1) : rest);
    each_entry(folder, [&](const fs::directory_entry& entry, const std::string& name) {
      std::error_code skipped;
      if (name.starts_with('.') || entry.is_symlink(skipped) || !entry.is_directory(skipped)) return;
      expand_into(found, join(folder, name), parts);
    });
    return;
  }
  const auto take = [&](const std::string& name) {
    const std::string path = join(folder, name);
    if (!rest.empty()) return fs::is_directory(path, ignored) ? expand_into(found, path, rest) : void();
    if (is_model_name(name) && fs::exists(path, ignored) && !fs::is_directory(path, ignored)) found.push_back(path);
  };
  if (!has_wildcard(part)) return take(part);
  each_entry(folder, [&](const fs::directory_entry&, const std::string& name) {
    if ((name.starts_with('.') && !part.starts_with('.')) || !glob_matches(part, name)) return;
    take(name);
  });
}

}  // namespace

bool has_wildcard(const std::string& word) noexcept { return word.find_first_of("*?[") != std::string::npos; }

std::vector<std::string> expand(const std::string& pattern) {
  const std::vector<std::string> parts = split(pattern);
  try {
    for (const std::string& part : parts) check_glob(part);
  } catch (const Error& error) {
    throw Error(pattern, error.cause());
  }
  std::vector<std::string> found;
  if (!parts.empty()) expand_into(found, pattern.starts_with('/') ? "/" : "", parts);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace trtcheck::discover
