#include "cli/completion_options.hpp"

#include <CLI/CLI.hpp>
#include <array>

#include "cli/option_words.hpp"

namespace trtcheck::cli {

void CompletionWords::add_to(CLI::App& app) {
  program_ = app.get_parent();
  app.add_option("SHELL", shell, "bash, zsh, fish")->required()->type_name("");
}

CompletionRequest CompletionWords::request() const {
  constexpr std::array<std::string_view, 3> kShells{"bash", "zsh", "fish"};
  return {static_cast<Shell>(choose("SHELL", shell, kShells)), program_facts(*program_)};
}

void ManWords::add_to(CLI::App& app) {
  program_ = app.get_parent();
  app.add_option("--date", date, "of the page")->type_name("YYYY-MM-DD");
  app.group("");  // for those who build packages
}

ManRequest ManWords::request() const { return {date, program_facts(*program_)}; }

}  // namespace trtcheck::cli
