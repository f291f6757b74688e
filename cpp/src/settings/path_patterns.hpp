// Patterns over paths as .gitignore has them: compiled once, asked often.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trtcheck::settings {

/// One pattern. Without a slash (other than at its end) it matches a name in any folder, else a path from the folder
/// of the pattern. `*` and `?` stop at a slash, `**` stands for any number of folders, a slash at the end asks for a
/// folder, `!` in front takes back what an earlier pattern said.
class PathGlob {
 public:
  /// @throws Error  makes no sense; the path is "pattern"
  explicit PathGlob(std::string_view pattern);

  [[nodiscard]] bool is_negated() const noexcept { return negated_; }
  /// @param path  relative to the folder of the pattern: "a/b.onnx"
  [[nodiscard]] bool matches(std::string_view path, bool is_folder) const;

 private:
  bool negated_ = false;
  bool folders_only_ = false;
  std::vector<std::string> parts_;  // a name in any folder is {"**", name}
};

/// What a list of patterns says of a path; the last pattern that matches counts.
enum class Said : std::uint8_t { nothing, excluded, included };
[[nodiscard]] Said judge(std::span<const PathGlob> patterns, std::string_view path, bool is_folder);

/// Whether the file, or a folder on the way to it, is excluded. As with .gitignore, nothing takes back what lies in
/// an excluded folder.
[[nodiscard]] bool excludes(std::span<const PathGlob> patterns, std::string_view path);

}  // namespace trtcheck::settings
