// The wildcards of .gitignore: over bytes, and with slashes that only `**` steps over.
#pragma once

#include <optional>
#include <string_view>

namespace trtcheck {

/// `?` and `*` stop at a slash; `**` as a whole part of the path stands for any number of parts; `[a-z]`, `[!a-z]`,
/// `[[:digit:]]`; `\` takes the next byte as it is. A pattern with an open `[` matches nothing.
/// What `git check-ignore` says is the specification, gitignore(5) its text.
[[nodiscard]] bool wildmatch(std::string_view pattern, std::string_view path) noexcept;

/// What is wrong with the pattern: "a `[` has no `]`"; nothing when it makes sense.
[[nodiscard]] std::optional<std::string_view> why_malformed(std::string_view pattern) noexcept;

}  // namespace trtcheck
