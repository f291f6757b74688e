#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <trtcheck/trtcheck.hpp>

#include "cli/help.hpp"
#include "cli/option_hints.hpp"
#include "cli/option_words.hpp"
#include "cli/tree.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"

namespace trtcheck::cli {
namespace {

constexpr std::string_view kFooter =
    "First steps:\n"
    "  trtcheck model.onnx          will it convert, and if not, why?\n"
    "  trtcheck explain WGT101      what a finding means\n"
    "  trtcheck fix model.onnx      repair what can be repaired\n"
    "\n"
    "Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 could not run";

void refuse_extras(CLI::App& app) {
  const Words extras = app.remaining();
  if (extras.empty()) return;
  const std::string& word = extras.front();
  if (!word.starts_with('-')) refuse(fmt::format("unexpected argument `{}`", word));
  refuse(fmt::format("unknown option `{}`{}", word, option_hint(Options(app), word)));
}

/// The parser says "At Most 1 required but received 2".
void refuse_repeated(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() != 1 || option->count() < 2) continue;
    const auto& names = option->get_lnames();
    refuse(fmt::format("{}: given {} times (`{}`), give it once",
                       names.empty() ? option->get_name() : "--" + fmt::format("{}", fmt::join(names, " or --")),
                       option->count(), fmt::join(option->results(), "`, `")));
  }
}

/// "-output" would be `-o utput`, and write a file of that name.
void refuse_lacking_dashes(const Options& options, const Words& words) {
  for (const std::string& word : words) {
    if (word == "--") return;
    if (lacks_a_dash(options, word)) refuse(fmt::format("unknown option `{0}`, did you mean `-{0}`?", word));
  }
}

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const Command& command : all_commands()) names.push_back(command.name);
  return names;
}

/// `help check` and `--help check` are `check --help`.
Words help_words(const Words& words) {
  if (words.size() < 2) return {"--help"};
  const std::vector<std::string_view> commands = command_names();
  const std::string& asked = words[1];
  if (std::ranges::find(commands, asked) != commands.end()) return {asked, "--help"};
  if (words.front() != "help") return {"--help"};
  refuse(fmt::format("help: there is no command `{}`{}", asked, did_you_mean(asked, commands)));
}

/// Of the working folder, sorted; of a large folder only the first that the system lists.
std::vector<std::string> models_here() {
  constexpr int kMostEntries = 10'000;
  std::vector<std::string> names;
  std::error_code ignored;
  std::filesystem::directory_iterator entry(".", ignored);
  for (int seen = 0; seen < kMostEntries && entry != std::filesystem::directory_iterator(); ++seen) {
    if (entry->path().extension() == ".onnx") names.push_back(printable(entry->path().filename().string()));
    entry.increment(ignored);
  }
  std::ranges::sort(names);
  return names;
}

std::string no_model() {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> names = models_here();
  if (names.empty()) return "no model given: `trtcheck model.onnx` checks one, `trtcheck --help` shows more";
  const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
  names.resize(names.size() - more);
  return fmt::format("no model given: `trtcheck .` checks what is here (`{}`{}) and in folders below",
                     fmt::join(names, "`, `"), more == 0 ? "" : fmt::format(" and {} more", more));
}

/// `trtcheck PATH` is short for `trtcheck check PATH`; a misspelt command is no path.
Words with_command(Words words) {
  if (words.empty()) refuse(no_model());
  const std::string& first = words.front();
  if (first == "--version" || first == "-V") {
    words.front() = "version";
    return words;
  }
  if (first == "help" || first == "--help" || first == "-h") return help_words(words);
  const std::vector<std::string_view> commands = command_names();
  if (std::ranges::find(commands, first) != commands.end()) return words;
  std::error_code ignored;
  const bool is_word = first.find_first_of("./-") == std::string::npos;
  if (is_word && !std::filesystem::exists(first, ignored)) {
    if (const auto near = nearest_word(first, commands)) {
      refuse(fmt::format("unknown command `{}`, did you mean `{}`?", first, *near));
    }
  }
  words.insert(words.begin(), "check");
  return words;
}

std::shared_ptr<CLI::App> make_app() {
  auto app = std::make_shared<CLI::App>("Tells whether an ONNX model will convert to a TensorRT engine, and why not.");
  app->name("trtcheck");
  app->footer(std::string(kFooter));
  app->set_help_flag("-h,--help", "print this and exit");
  app->add_flag("-V,--version")->description("print the version");
  return app;
}

/// Every command lets strangers through, so that we can name the nearest one.
CLI::App* add_command(CLI::App& app, const Command& command) {
  CLI::App* added = app.add_subcommand(std::string(command.name), std::string(command.help));
  added->allow_extras();
  added->footer(std::string(command.examples));
  added->group(std::string(command.group));
  return added;
}

struct AddedCommand {
  CLI::App* app;
  Run run;
};

/// Of the command that was named, or of the program.
std::string help_of(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands())
    return help_text(command_facts(*command), command->get_footer());
  return help_text(program_facts(app));
}

Run print(std::string text) {
  return [text = std::move(text)] {
    write_output({}, text);
    return kExitClean;
  };
}

}  // namespace

Run parse_command_line(int argc, const char* const* argv) {
  const Words words = with_command(Words(argv + std::min(argc, 1), argv + argc));
  const std::shared_ptr<CLI::App> app = make_app();
  std::vector<AddedCommand> added;
  for (const Command& command : all_commands()) {
    CLI::App* sub = add_command(*app, command);
    Options options(*sub);
    added.push_back({sub, command.add(options)});
    if (command.name == words.front()) refuse_lacking_dashes(options, words);
  }
  try {
    app->parse(Words(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    return print(help_of(*app));
  } catch (const CLI::ParseError& error) {
    for (CLI::App* command : app->get_subcommands()) {
      refuse_extras(*command);
      refuse_repeated(*command);
    }
    refuse(error.what());
  }
  for (CLI::App* command : app->get_subcommands()) refuse_extras(*command);
  refuse_extras(*app);
  for (AddedCommand& command : added) {
    // Words may look at the order in which they were given: the tree lives as long as they do.
    if (app->got_subcommand(command.app)) return [app, run = std::move(command.run)] { return run(); };
  }
  return print(help_of(*app));
}

}  // namespace trtcheck::cli
