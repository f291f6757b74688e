// Options of a command, as our words declare them. CLI11 stays behind them: it takes seconds to compile, wherever it is
// included.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cli11.hpp"

namespace trtcheck::cli {

using Words = std::vector<std::string>;

/// One that was added. It belongs to its command.
class Option {
 public:
  explicit Option(CLI::Option& option) noexcept : option_(&option) {}

  /// What stands for the value in `--help`.
  Option& value(std::string_view name);
  /// The heading in `--help` and in the man page.
  Option& group(const char* heading);
  Option& required();

 private:
  CLI::Option* option_;
};

/// Those of one command. What is added is read into members that have to live until the command line is parsed.
class Options {
 public:
  explicit Options(CLI::App& app) noexcept : app_(&app) {}

  /// @param names  such as "-o,--output"
  Option add(const std::string& names, std::string& into, const std::string& help);
  Option add(const std::string& names, std::optional<std::string>& into, const std::string& help);
  /// One value for each time it is given, so that it never swallows the paths behind it.
  Option add(const std::string& names, Words& into, const std::string& help);
  /// The same with values that are split at commas.
  Option add_list(const std::string& names, Words& into, const std::string& help);
  Option add_flag(const std::string& names, bool& into, const std::string& help);
  /// Words without an option.
  Option add_argument(const std::string& name, std::string& into, const std::string& help);
  Option add_argument(const std::string& name, Words& into, const std::string& help);
  /// @pre it was added
  void remove(const std::string& name);

  /// The options in the order in which they were given: "--output-format", "--output".
  void read_order(Words& into);
  /// In no help, completion or man page.
  void hide_command();

  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] Words long_names() const;
  /// That the command is one of.
  [[nodiscard]] const CLI::App& program() const;

 private:
  CLI::App* app_;
};

}  // namespace trtcheck::cli
