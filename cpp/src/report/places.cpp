#include "report/places.hpp"

#include <filesystem>

#include "report/escape.hpp"

namespace trtcheck::report {
namespace {

namespace fs = std::filesystem;

std::string normal(const fs::path& path) {
  std::string text = path.lexically_normal().string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

}  // namespace

Places::Places(const RenderOptions& options)
    : folder_(options.folder.empty() ? "" : normal(options.folder)),
      root_(options.root.empty() ? folder_ : normal(options.root)) {}

std::string Places::path(std::string_view path) const {
  if (path.empty()) return "";
  const fs::path given(path);
  if (folder_.empty() && given.is_relative()) return normal(given);
  const std::string full = normal(fs::path(folder_) / given);
  if (root_.empty()) return full;
  const std::string below = root_.ends_with('/') ? root_ : root_ + "/";
  return full.starts_with(below) ? full.substr(below.size()) : full;
}

Place Places::of(const Report& report, const Finding& finding) const {
  if (finding.source && finding.source->line > 0 && !finding.source->file.empty()) {
    return {path(finding.source->file), finding.source->line};
  }
  return {path(report.path), 0};
}

std::string uri_reference(std::string_view path) {
  return path.starts_with('/') ? "file://" + uri_path(path) : uri_path(path);
}

}  // namespace trtcheck::report
