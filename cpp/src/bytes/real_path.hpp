// Paths as the file system has them.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace trtcheck {

/// Absolute, with links followed as far as the path exists; what cannot be followed is made normal by its words alone.
[[nodiscard]] inline std::filesystem::path real_path(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(path, failed);
  std::filesystem::path real = std::filesystem::weakly_canonical(whole, failed);
  return failed ? whole.lexically_normal() : real;
}

/// Of the file that a path names, by its words alone: "." of "net.onnx".
[[nodiscard]] inline std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

[[nodiscard]] inline std::string without_slash_at_end(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace trtcheck
