// From the words of the command line to what is to be run.
#pragma once

#include "cli/commands.hpp"

namespace trtcheck::cli {

/// @throws Error  anything that is no sensible command line; one line, with a suggestion where one is near
[[nodiscard]] Run parse_command_line(int argc, const char* const* argv);

}  // namespace trtcheck::cli
