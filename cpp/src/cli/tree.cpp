#include "cli/tree.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include <trtcheck/rule.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck::cli {
namespace {

OptionFacts option_facts(const CLI::Option& option) {
  OptionFacts facts;
  for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  if (facts.names.empty()) facts.names.push_back(option.get_name(true));
  facts.value = option.get_type_size_max() == 0 || option.get_positional() ? "" : option.get_type_name();
  facts.help = option.get_description();
  facts.group = option.get_group();
  facts.repeats = option.get_items_expected_max() > 1;
  return facts;
}

std::vector<OptionFacts> facts_of(const CLI::App& app, bool positional) {
  std::vector<OptionFacts> facts;
  for (const std::string& group : app.get_groups()) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_group() != group || option->get_positional() != positional || group.empty()) continue;
      facts.push_back(option_facts(*option));
    }
  }
  return facts;
}

/// "full (default), concise, json" -> its words.
std::vector<std::string> listed(std::string_view help) {
  std::vector<std::string> words;
  while (!help.empty()) {
    const std::size_t comma = std::min(help.find(", "), help.size());
    const std::string_view item = help.substr(0, comma);
    help.remove_prefix(std::min(comma + 2, help.size()));
    words.emplace_back(item.substr(0, item.find(' ')));
  }
  return words;
}

std::vector<std::string> rule_words() {
  std::vector<std::string> words;
  for (const Rule* rule : all_rules()) words.emplace_back(rule->code);
  for (const Rule* rule : all_rules()) words.emplace_back(rule->name);
  return words;
}

std::vector<std::string> release_words() {
  std::vector<std::string> words;
  for (const TrtVersion release : known_releases()) words.push_back(to_string(release));
  for (const TrtVersion release : known_rtx_releases()) words.push_back(to_string(release));
  return words;
}

std::vector<std::string> precision_words() {
  std::vector<std::string> words;
  for (int i = 0; i <= static_cast<int>(Precision::fp4); ++i) {
    words.emplace_back(to_string(static_cast<Precision>(i)));
  }
  return words;
}

const std::string& kind_of(const OptionFacts& option) {
  return option.names.front().starts_with('-') ? option.value : option.names.front();
}

}  // namespace

CommandFacts command_facts(const CLI::App& command) {
  return {command.get_name(), command.get_description(), command.get_group(), facts_of(command, true),
          facts_of(command, false)};
}

ProgramFacts program_facts(const CLI::App& program) {
  ProgramFacts facts{program.get_description(), program.get_footer(), facts_of(program, false), {}};
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) facts.commands.push_back(command_facts(*command));
  }
  return facts;
}

std::vector<std::string> words_of(const OptionFacts& option) {
  const std::string& kind = kind_of(option);
  if (kind == "RELEASE") return release_words();
  if (kind == "PRECISION") return precision_words();
  if (kind == "RULES" || kind == "RULE") return rule_words();
  if (kind == "FORMAT" || kind == "SEVERITY" || kind == "SHELL") return listed(option.help);
  return {};
}

bool takes_models(const OptionFacts& option) {
  const std::string& kind = kind_of(option);
  return kind == "PATH" || kind == "MODEL" || kind == "OLD" || kind == "NEW";
}

bool takes_files(const OptionFacts& option) { return kind_of(option) == "FILE" || kind_of(option) == "FOLDER"; }

}  // namespace trtcheck::cli
