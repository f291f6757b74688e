// What people write who come from other programs: "--json", "--format", "--fp16".
#pragma once

#include <string>
#include <string_view>

#include "cli/options.hpp"

namespace trtcheck::cli {

/// ", did you mean `--target`?" or "", for a word that is no option of that command.
[[nodiscard]] std::string option_hint(const Options& options, std::string_view word);

/// Whether the word is a long option of the command with one dash only: "-output", which would be `-o utput`.
[[nodiscard]] bool lacks_a_dash(const Options& options, std::string_view word);

}  // namespace trtcheck::cli
