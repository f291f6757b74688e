#include "model/location.hpp"

#include <algorithm>
#include <vector>

namespace trtcheck {
namespace {

/// What stands between slashes, without "" and ".".
std::vector<std::string_view> components(std::string_view location) {
  std::vector<std::string_view> parts;
  while (!location.empty()) {
    const std::size_t end = location.find_first_of("/\\");
    const std::string_view part = location.substr(0, end);
    if (!part.empty() && part != ".") parts.push_back(part);
    location.remove_prefix(end == std::string_view::npos ? location.size() : end + 1);
  }
  return parts;
}

}  // namespace

std::string_view escape_by_text(std::string_view location) {
  if (location.find('\0') != std::string_view::npos) return "contains a NUL byte";
  if (location.starts_with('/')) return "is an absolute path";
  if (location.starts_with('\\') || (location.size() > 1 && location[1] == ':')) return "is an absolute Windows path";
  int depth = 0;
  for (const std::string_view part : components(location)) {
    depth += part == ".." ? -1 : 1;
    if (depth < 0) return "leaves the folder of the model";
  }
  return {};
}

std::string without_parents(std::string_view location) {
  if (location.find("..") == std::string_view::npos) return std::string(location);
  std::vector<std::string_view> kept;
  for (const std::string_view part : components(location)) {
    if (part == "..") {
      kept.pop_back();
    } else {
      kept.push_back(part);
    }
  }
  std::string path;
  for (const std::string_view part : kept) path.append(path.empty() ? "" : "/").append(part);
  return path;
}

std::string path_below(std::string_view location) {
  const std::string kept = without_parents(location);
  std::string path;
  for (std::size_t at = 0; at <= kept.size();) {
    const std::size_t end = std::min(kept.find('/', at), kept.size());
    const std::string_view part = std::string_view(kept).substr(at, end - at);
    if (!part.empty() && part != ".") path.append(path.empty() ? "" : "/").append(part);
    at = end + 1;
  }
  return path;
}

}  // namespace trtcheck
