// `trtcheck completion`: scripts for bash, zsh and fish.
#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "cli/commands.hpp"
#include "cli/completion_options.hpp"
#include "cli/output.hpp"

namespace trtcheck::cli {
namespace {

template <class... Arguments>
void add(std::string& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
}

/// For a string between single quotes in any of the three shells' scripts.
std::string escaped(std::string_view text, std::string_view special, std::string_view quote) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += quote;
    } else {
      if (special.find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string words_text(const OptionFacts& option) { return fmt::format("{}", fmt::join(words_of(option), " ")); }

std::vector<std::string> names_of(std::span<const OptionFacts> options) {
  std::vector<std::string> names;
  for (const OptionFacts& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> names_of(std::span<const CommandFacts> commands) {
  std::vector<std::string> names;
  for (const CommandFacts& command : commands) names.push_back(command.name);
  return names;
}

// --- bash ----------------

/// What may stand behind an option that takes a value.
void add_bash_values(std::string& out, const CommandFacts& command) {
  for (const OptionFacts& option : command.options) {
    if (option.value.empty()) continue;
    add(out, "    {}:{}) ", command.name, fmt::join(option.names, fmt::format("|{}:", command.name)));
    const std::string words = words_text(option);
    if (!words.empty())
      add(out, "words='{}' ;;\n", words);
    else if (takes_files(option))
      out += "files='*' ;;\n";
    else
      out += "return ;;\n";
  }
}

std::string bash(const ProgramFacts& program) {
  std::string out =
      "# bash completion of trtcheck; made by `trtcheck completion bash`\n"
      "_trtcheck() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} command=check words='' files=''\n"
      "  COMPREPLY=()\n"
      "  if [[ $current == '=' ]]; then current=''; elif [[ $option == '=' ]]; then "
      "option=${COMP_WORDS[COMP_CWORD-2]}; "
      "fi\n";
  const auto commands = names_of(program.commands);
  add(out, "  case ${{COMP_WORDS[1]}} in {}) ((COMP_CWORD > 1)) && command=${{COMP_WORDS[1]}} ;; esac\n",
      fmt::join(commands, "|"));
  out += "  case $command:$option in\n";
  for (const CommandFacts& command : program.commands) add_bash_values(out, command);
  out += "    *) case $command:$current in\n";
  for (const CommandFacts& command : program.commands) {
    add(out, "      {}:-*) words='{}' ;;\n", command.name, fmt::join(names_of(command.options), " "));
    if (command.arguments.empty()) continue;
    const OptionFacts& argument = command.arguments.front();
    add(out, "      {}:*) words='{}' files='{}' ;;\n", command.name, words_text(argument),
        takes_models(argument) ? "*.onnx" : "");
  }
  out += "    esac ;;\n  esac\n";
  add(out, "  ((COMP_CWORD == 1)) && words+=' {} {}'\n", fmt::join(commands, " "),
      fmt::join(names_of(program.options), " "));
  out +=
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "  if [[ -n $files ]]; then\n"
      "    compopt -o filenames 2>/dev/null\n"
      "    local found\n"
      "    while IFS= read -r found; do COMPREPLY+=(\"$found\"); done \\\n"
      "      < <(compgen -f -X \"!$files\" -- \"$current\"; [[ $files == '*' ]] || compgen -d -- \"$current\")\n"
      "  fi\n"
      "}\n"
      "complete -F _trtcheck trtcheck\n";
  return out;
}

// --- zsh ----------------

std::string zsh_text(std::string_view text) { return escaped(text, "[]:\\", "'\\''"); }

/// ":what:action", what _arguments completes a value with.
std::string zsh_action(const OptionFacts& option, const std::string& name) {
  const std::string words = words_text(option);
  if (!words.empty()) return fmt::format(":{}:({})", zsh_text(name), words);
  if (takes_models(option)) return fmt::format(":{}:_files -g \"*.onnx(-.)\"", zsh_text(name));
  return fmt::format(":{}:{}", zsh_text(name), takes_files(option) ? "_files" : "");
}

void add_zsh_command(std::string& out, const CommandFacts& command) {
  add(out, "    {})\n      _arguments -s", command.name);
  for (const OptionFacts& option : command.options) {
    for (const std::string& name : option.names) {
      const bool has_value = !option.value.empty();
      add(out, " \\\n        '{}{}{}[{}]{}'", option.repeats ? "*" : "", name,
          has_value ? (name.starts_with("--") ? "=" : "+") : "", zsh_text(option.help),
          has_value ? zsh_action(option, option.value) : "");
    }
  }
  for (const OptionFacts& argument : command.arguments) {
    add(out, " \\\n        '{}{}'", argument.repeats ? "*" : "", zsh_action(argument, argument.names.front()));
  }
  out += " ;;\n";
}

std::string zsh(const ProgramFacts& program) {
  std::string out =
      "#compdef trtcheck\n# made by `trtcheck completion zsh`\n_trtcheck() {\n  local -a commands\n  commands=(\n";
  for (const CommandFacts& command : program.commands) {
    add(out, "    '{}:{}'\n", command.name, zsh_text(command.help));
  }
  out +=
      "  )\n"
      "  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
      "    _describe -t commands command commands\n"
      "    _files -g '*.onnx(-.)'\n"
      "    return\n"
      "  fi\n"
      "  local command=check\n";
  add(out,
      "  case $words[2] in\n    {}) command=$words[2]; shift words; (( CURRENT-- )) ;;\n  esac\n  case $command in\n",
      fmt::join(names_of(program.commands), "|"));
  for (const CommandFacts& command : program.commands) add_zsh_command(out, command);
  out +=
      "  esac\n}\n"
      "if [[ $funcstack[1] == _trtcheck ]]; then _trtcheck \"$@\"; else compdef _trtcheck trtcheck; fi\n";
  return out;
}

// --- fish ----------------

std::string fish_text(std::string_view text) { return escaped(text, "\\", "\\'"); }

void add_fish_values(std::string& out, const OptionFacts& option) {
  const std::string words = words_text(option);
  if (!words.empty())
    add(out, " -x -a '{}'", words);
  else
    out += takes_files(option) ? " -r -F" : " -x";
}

void add_fish_command(std::string& out, const CommandFacts& command, const std::string& condition) {
  for (const OptionFacts& option : command.options) {
    add(out, "complete -c trtcheck -n '{}'", condition);
    for (const std::string& name : option.names) {
      if (name.starts_with("--"))
        add(out, " -l {}", name.substr(2));
      else
        add(out, " -s {}", name.substr(1));
    }
    if (!option.value.empty()) add_fish_values(out, option);
    add(out, " -d '{}'\n", fish_text(option.help));
  }
  for (const OptionFacts& argument : command.arguments) {
    if (takes_models(argument)) {
      add(out, "complete -c trtcheck -n '{}' -k -a '(__fish_complete_suffix .onnx)'\n", condition);
    } else if (const std::string words = words_text(argument); !words.empty()) {
      add(out, "complete -c trtcheck -n '{}' -a '{}'\n", condition, words);
    }
  }
}

std::string fish(const ProgramFacts& program) {
  std::string out = "# made by `trtcheck completion fish`\ncomplete -c trtcheck -f\n";
  std::string others;
  for (const CommandFacts& command : program.commands) {
    if (command.name != "check") others += " " + command.name;
    add(out, "complete -c trtcheck -n __fish_use_subcommand -a {} -d '{}'\n", command.name, fish_text(command.help));
  }
  for (const CommandFacts& command : program.commands) {
    const bool is_default = command.name == "check";
    add_fish_command(
        out, command,
        is_default ? "not __fish_seen_subcommand_from" + others : "__fish_seen_subcommand_from " + command.name);
  }
  return out;
}

}  // namespace

int run(const CompletionRequest& request) {
  switch (request.shell) {
    case Shell::bash:
      write_output({}, bash(request.program));
      break;
    case Shell::zsh:
      write_output({}, zsh(request.program));
      break;
    case Shell::fish:
      write_output({}, fish(request.program));
      break;
  }
  return kExitClean;
}

}  // namespace trtcheck::cli
