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

[[nodiscard]] inline std::string without_slash_at_end(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace trtcheck
