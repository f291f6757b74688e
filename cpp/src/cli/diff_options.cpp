#include "cli/diff_options.hpp"

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
  if (has_never && !made.empty()) refuse("--fail-on: `never` cannot be combined with others");
  return made;
}

}  // namespace

void DiffWords::add_to(Options& options) {
  options.add_argument("BEFORE", before, "ONNX file").required();
  options.add_argument("AFTER", after, "ONNX file, a later version of it").required();
  settings.add_to(options);
  options.remove("--fail-on");  // of severities; a comparison has its own
  options.add_list("--fail-on", fail_on, "new-error, new, new-info, interface, never").value("WHAT");
  output.add_to(options);
}

DiffRequest DiffWords::request() const {
  return {before, after, settings.choice(), settings.overrides(), gates(fail_on), output.request()};
}

}  // namespace trtcheck::cli
