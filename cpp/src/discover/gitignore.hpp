// What Git ignores: the patterns of all files that concern a folder.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "text/ignore_patterns.hpp"

namespace trtcheck::discover {

/// The files that concern one folder, innermost first.
struct IgnoreLevel;
using IgnoreChain = std::shared_ptr<const IgnoreLevel>;

struct IgnoreLevel {
  IgnoreChain outer;
  std::string folder;  ///< absolute, ends in a slash
  IgnorePatterns patterns;
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
