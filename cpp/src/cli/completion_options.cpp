#include "cli/completion_options.hpp"

#include <array>

#include "cli/option_words.hpp"

namespace trtcheck::cli {

void CompletionWords::add_to(Options& options) {
  program_ = &options.program();
  options.add_argument("SHELL", shell, "bash, zsh, fish").required();
}

CompletionRequest CompletionWords::request() const {
  constexpr std::array<std::string_view, 3> kShells{"bash", "zsh", "fish"};
  return {static_cast<Shell>(choose("SHELL", shell, kShells)), program_facts(*program_)};
}

void ManWords::add_to(Options& options) {
  program_ = &options.program();
  options.add("--date", date, "of the page").value("YYYY-MM-DD");
  options.hide_command();  // for those who build packages
}

ManRequest ManWords::request() const { return {date, program_facts(*program_)}; }

}  // namespace trtcheck::cli
