// The wildcards of .gitignore: over bytes, and with slashes that only `**` steps over.
#pragma once

#include <string_view>

namespace trtcheck::discover {

/// `?` and `*` stop at a slash; `**` as a whole part of the path stands for any number of parts; `[a-z]`, `[!a-z]`,
/// `[[:digit:]]`; `\` takes the next byte as it is. A pattern with an open `[` matches nothing.
/// What `git check-ignore` says is the specification, gitignore(5) its text.
[[nodiscard]] bool wildmatch(std::string_view pattern, std::string_view path) noexcept;

}  // namespace trtcheck::discover
