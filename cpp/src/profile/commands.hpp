// Command lines of the tools that take a profile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/profile.hpp>

namespace trtcheck::profiles {

/// As one word of a POSIX shell.
[[nodiscard]] std::string shell_word(std::string_view word);

/// What a build of the model needs beside the profile: up to 10.16 types that the file holds, or that are asked for,
/// have to be allowed.
struct BuildFlags {
  std::string trtexec;     ///< " --int8 --fp16"; "" = none
  std::string polygraphy;  ///< the same, in its words
  std::string trtcheck;    ///< " --target 10.13": the release and what goes with it
};
[[nodiscard]] BuildFlags build_flags(const Model& model, const Shapes& shapes, const Target& target);

[[nodiscard]] std::vector<ProfileCommand> commands_for(const ProfileProposal& proposal, const BuildFlags& flags);

}  // namespace trtcheck::profiles
