// Commands and options as plain facts, read out of CLI11: what help, completions and the man page are printed from.
#pragma once

#include <string>
#include <vector>

#include "cli/cli11.hpp"

namespace trtcheck::cli {

struct OptionFacts {
  std::vector<std::string> names;  ///< "-q", "--quiet"; of an argument its one name, "PATH"
  std::string value;               ///< "FILE"; "" = takes none
  std::string help;
  std::string group;
  bool repeats = false;
};

struct CommandFacts {
  std::string name;
  std::string help;
  std::string group;  ///< the heading that it stands below: "Look up"
  std::vector<OptionFacts> arguments;
  std::vector<OptionFacts> options;  ///< those of one group stand together
};

struct ProgramFacts {
  std::string help;
  std::string footer;
  std::vector<OptionFacts> options;
  std::vector<CommandFacts> commands;  ///< without hidden ones
};

[[nodiscard]] CommandFacts command_facts(const CLI::App& command);
[[nodiscard]] ProgramFacts program_facts(const CLI::App& program);

/// The words that an option or argument takes; empty when they are not known beforehand.
[[nodiscard]] std::vector<std::string> words_of(const OptionFacts& option);
[[nodiscard]] bool takes_models(const OptionFacts& option);
[[nodiscard]] bool takes_files(const OptionFacts& option);

}  // namespace trtcheck::cli
