// Wildcards over names: of nodes, and of the parts of paths that are expanded. Those of .gitignore are
// text/wildmatch.hpp.
#pragma once

#include <string_view>

namespace trtcheck {

/// `*` any characters, `?` one character, `[a-z]` and `[!a-z]` one of a set, `\` takes the next character as it is. A
/// slash is a character like any other. Case counts. Takes time in proportion to pattern times text at most.
/// @pre `check_glob(pattern)` has accepted it; otherwise an open `[` is an ordinary character
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view text) noexcept;

/// @throws Error  empty, a `[` without its `]`, a range that runs backwards, or `\` at the end; the path is "pattern"
void check_glob(std::string_view pattern);

}  // namespace trtcheck
