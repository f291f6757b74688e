#include "cli/diff_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

namespace trtcheck::cli {
namespace {

std::vector<DiffRequest::FailOn> gates(const Words& words) {
  constexpr std::array<std::string_view, 5> kWords{"new-error", "new", "new-info", "interface", "never"};
  if (words.empty()) return {DiffRequest::FailOn::new_error};
  std::vector<DiffRequest::FailOn> made;
  for (const std::string& word : words) {
    const std::size_t choice = choose("--fail-on", word, kWords);
    if (kWords[choice] != "never") made.push_back(static_cast<DiffRequest::FailOn>(choice));
  }
  const bool has_never = std::ranges::find(words, "never") != words.end();
  if (has_never && !made.empty()) refuse("--fail-on: `never` stands alone");
  return made;
}

}  // namespace

void DiffWords::add_to(CLI::App& app) {
  app.add_option("BEFORE", before, "ONNX file")->required()->type_name("");
  app.add_option("AFTER", after, "ONNX file, a later version of it")->required()->type_name("");
  settings.add_to(app);
  app.remove_option(app.get_option("--fail-on"));  // of severities; a comparison has its own
  add_list(app, "--fail-on", fail_on, "new-error, new, new-info, interface, never")->type_name("WHAT");
  output.add_to(app);
}

DiffRequest DiffWords::request() const {
  return {before, after, settings.choice(), settings.overrides(), gates(fail_on), output.request()};
}

}  // namespace trtcheck::cli
