// Patterns on the command line that no shell has expanded.
#pragma once

#include <string>
#include <vector>

namespace trtcheck::discover {

[[nodiscard]] bool has_wildcard(const std::string& word) noexcept;

/// The models that match, sorted. A wildcard takes no leading dot, `**` goes through no link.
/// @throws Error  the pattern makes no sense
[[nodiscard]] std::vector<std::string> expand(const std::string& pattern);

}  // namespace trtcheck::discover
