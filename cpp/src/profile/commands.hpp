// Command lines of the tools that take a profile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/profile.hpp>

namespace trtcheck::profiles {

/// As one word of a POSIX shell.
[[nodiscard]] std::string shell_word(std::string_view word);

[[nodiscard]] std::vector<ProfileCommand> commands_for(const ProfileProposal& proposal);

}  // namespace trtcheck::profiles
