#include "cli/option_words.hpp"

#include <algorithm>
#include <utility>

#include "target/suggest.hpp"

namespace trtcheck::cli {

void refuse(std::string cause) { throw Error("", std::move(cause)); }

std::size_t choose(std::string_view option, std::string_view word, std::span<const std::string_view> choices) {
  const auto found = std::find(choices.begin(), choices.end(), word);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  refuse(fmt::format("{}: unknown value `{}`{}; it takes {}", option, word, did_you_mean(word, choices),
                     fmt::join(choices, ", ")));
}

CLI::Option* add_list(CLI::App& app, const std::string& name, Words& words, const std::string& help) {
  return app.add_option(name, words, help)->allow_extra_args(false)->delimiter(',');
}

void OutputWords::add_to(CLI::App& app) {
  app.add_option("--output-format", format, "full (default), concise or json")->type_name("FORMAT");
  app.add_option("--output", file, "write here, not to standard output")->type_name("FILE");
  app.add_flag("--no-color", no_color, "no colours (as NO_COLOR=1 does)");
}

OutputRequest OutputWords::request() const {
  constexpr std::array<std::string_view, 3> kFormats{"full", "concise", "json"};
  return {static_cast<Format>(choose("--output-format", format, kFormats)), file, no_color};
}

}  // namespace trtcheck::cli
