#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kColumn = 30;
constexpr std::size_t kCommandColumn = 16;

/// A name and what it does, wrapped in the right column.
void write_row(std::string& out, const std::string& name, const std::string& help, std::size_t column = kColumn) {
  const auto lines = wrap(help, kWidth - column);
  const std::string head = "  " + name;
  if (head.size() + 2 > column) {
    out += head + "\n";
  } else {
    out += head + std::string(column - head.size(), ' ');
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool own_line = i > 0 || head.size() + 2 > column;
    out += (own_line ? std::string(column, ' ') : "") + lines[i] + "\n";
  }
}

/// "-o, --output FILE"; of several long names the first.
std::string title_of(const OptionFacts& option) {
  std::vector<std::string_view> names;
  for (const std::string& name : option.names) {
    const bool is_other = !names.empty() && names.back().starts_with("--");
    if (!is_other) names.push_back(name);
  }
  std::string title = fmt::format("{}", fmt::join(names, ", "));
  if (names.size() == 1 && names.front().starts_with("--")) title = "    " + title;
  if (!option.value.empty()) title += " " + option.value;
  return title + (option.repeats && !option.names.front().starts_with('-') ? "..." : "");
}

void write_options(std::string& out, std::span<const OptionFacts> options) {
  const std::string* group = nullptr;
  for (const OptionFacts& option : options) {
    if (group == nullptr || *group != option.group) out += "\n" + option.group + ":\n";
    group = &option.group;
    write_row(out, title_of(option), option.help);
  }
}

}  // namespace

std::string help_text(const ProgramFacts& program) {
  std::string out = program.help + "\n\nUsage: trtcheck [COMMAND] [OPTIONS] ...\n\n" + program.footer + "\n";
  const std::string* group = nullptr;
  for (const CommandFacts& command : program.commands) {
    if (group == nullptr || *group != command.group) out += "\n" + command.group + ":\n";
    group = &command.group;
    write_row(out, command.name, command.help, kCommandColumn);
  }
  write_options(out, program.options);
  return out;
}

std::string help_text(const CommandFacts& command, std::string_view examples) {
  std::string out = fmt::format("{}\n\nUsage: trtcheck {} [OPTIONS]", command.help, command.name);
  for (const OptionFacts& argument : command.arguments) out += " " + title_of(argument);
  out += "\n";
  if (!examples.empty()) fmt::format_to(std::back_inserter(out), "\nExamples:\n{}", examples);
  if (!command.arguments.empty()) out += "\nArguments:\n";
  for (const OptionFacts& argument : command.arguments) write_row(out, title_of(argument), argument.help);
  write_options(out, command.options);
  return out;
}

}  // namespace trtcheck::cli
