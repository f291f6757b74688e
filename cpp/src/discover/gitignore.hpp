// What Git ignores: the patterns of one file, and of all files that concern a folder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trtcheck::discover {

enum class Said : std::uint8_t { nothing, ignored, included };

/// The lines of one .gitignore.
class IgnoreFile {
 public:
  explicit IgnoreFile(std::string_view text);

  /// The last pattern that matches counts.
  /// @param path  from the folder of the file: "a/b.onnx"
  [[nodiscard]] Said judge(std::string_view path, bool is_folder) const noexcept;

 private:
  struct Pattern {
    std::string text;
    bool negated = false;
    bool folders_only = false;
    bool any_folder = false;  ///< a name, not a path from the folder of the file
  };
  std::vector<Pattern> patterns_;
};

/// The files that concern one folder, innermost first.
struct IgnoreLevel;
using IgnoreChain = std::shared_ptr<const IgnoreLevel>;

struct IgnoreLevel {
  IgnoreChain outer;
  std::string folder;  ///< absolute, ends in a slash
  IgnoreFile file;
};

/// Whether an entry of a folder is ignored; nothing is said about the folders that it lies in.
/// @param path  absolute
[[nodiscard]] bool is_ignored(const IgnoreChain& chain, std::string_view path, bool is_folder) noexcept;

/// The chain of a folder below one of chain `outer`, which may have a .gitignore of its own, or be the root of a
/// repository: then nothing from outside counts.
/// @param folder  absolute, without a slash at its end unless it is the root folder
[[nodiscard]] IgnoreChain enter_folder(const IgnoreChain& outer, const std::string& folder);

/// The chain of a folder with all folders above it up to the root of its repository; null outside of one.
[[nodiscard]] IgnoreChain ignores_of(const std::string& folder);

}  // namespace trtcheck::discover
