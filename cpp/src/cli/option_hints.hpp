// What people write who come from other programs: "--json", "--format", "--fp16".
#pragma once

#include <string>
#include <string_view>

#include "cli/cli11.hpp"

namespace trtcheck::cli {

/// ", did you mean `--target`?" or "", for a word that is no option of that command.
[[nodiscard]] std::string option_hint(const CLI::App& command, std::string_view word);

/// Whether the word is a long option of the command with one dash only: "-output", which would be `-o utput`.
[[nodiscard]] bool lacks_a_dash(const CLI::App& command, std::string_view word);

}  // namespace trtcheck::cli
