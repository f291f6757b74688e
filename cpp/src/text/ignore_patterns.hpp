// Patterns over paths as .gitignore has them: read once, asked often. One dialect for .gitignore and for settings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trtcheck {

/// What a list of patterns says of a path.
enum class Said : std::uint8_t { nothing, ignored, included };

/// Without a slash (other than at its end) a pattern matches a name in any folder, else a path from the folder of the
/// list. `*` and `?` stop at a slash, `**` stands for any number of folders, a slash at the end asks for a folder, `!`
/// in front takes back what an earlier pattern said. `git check-ignore` is the specification.
class IgnorePatterns {
 public:
  IgnorePatterns() = default;
  /// The lines of a file. As in Git, a line that makes no sense matches nothing.
  explicit IgnorePatterns(std::string_view text);

  void add(std::string_view line);

  /// The last pattern that matches counts.
  /// @param path  relative to the folder of the list: "a/b.onnx"
  [[nodiscard]] Said judge(std::string_view path, bool is_folder) const noexcept;

  /// Whether the file, or a folder on the way to it, is ignored: nothing takes back what lies in an ignored folder.
  [[nodiscard]] bool ignores(std::string_view path) const noexcept;

 private:
  struct Pattern {
    std::string text;
    bool negated = false;
    bool folders_only = false;
    bool any_folder = false;  ///< a name, not a path from the folder of the list
  };
  std::vector<Pattern> patterns_;
};

/// For patterns that somebody wrote for us, where a line that matches nothing is a mistake.
/// @throws Error  makes no sense; the path is "pattern"
void check_ignore_pattern(std::string_view line);

}  // namespace trtcheck
