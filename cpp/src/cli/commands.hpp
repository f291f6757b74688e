// The commands of the program.
//
// A new command is a pair of files, `<name>_options.{hpp,cpp}` with its words and its request, `<name>_command.cpp`
// with `int run(const Request&)`, and one line in the table of commands.cpp.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "cli/options.hpp"

namespace trtcheck::cli {

inline constexpr int kExitClean = 0;
inline constexpr int kExitFindings = 1;
inline constexpr int kExitFailed = 2;

/// Gives the exit code; what cannot be done is an Error.
using Run = std::function<int()>;

struct Command {
  std::string_view group;  ///< the heading in `--help`; those of one stand together
  std::string_view name;
  std::string_view help;
  /// Adds the options. The result runs the command with the words that CLI11 has read until then.
  Run (*add)(Options& options);
  std::string_view examples = {};  ///< lines of `--help`, each indented by two
};

/// In the order of `--help`.
[[nodiscard]] std::span<const Command> all_commands() noexcept;

}  // namespace trtcheck::cli
