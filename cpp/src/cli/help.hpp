// What `--help` prints.
#pragma once

#include <string>
#include <string_view>

#include "cli/tree.hpp"

namespace trtcheck::cli {

/// At most 80 columns.
[[nodiscard]] std::string help_text(const ProgramFacts& program);
[[nodiscard]] std::string help_text(const CommandFacts& command, std::string_view examples);

}  // namespace trtcheck::cli
