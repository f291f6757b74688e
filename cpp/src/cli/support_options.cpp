#include "cli/support_options.hpp"

#include <algorithm>

#include <trtcheck/target.hpp>

#include "text/suggest.hpp"

namespace trtcheck::cli {

void SupportWords::add_to(Options& options) {
  options.add_argument("OP", ops, "operators such as Resize; none = all, a line each");
  options.add_flag("--verbose", verbose, "with the conditions as the data writes them, and sources")
      .group(kOutputOptions);
  output.add_to(options);
}

SupportRequest SupportWords::request() const {
  std::vector<std::string_view> known(known_operators().begin(), known_operators().end());
  known.insert(known.end(), known_rtx_operators().begin(), known_rtx_operators().end());
  std::ranges::sort(known);
  SupportRequest request{{}, ops.empty(), verbose, output.request()};
  if (ops.empty()) request.ops.assign(known.begin(), known.end());
  for (const std::string& op : ops) {
    const auto found = std::ranges::find_if(known, [&](std::string_view name) { return edit_distance(name, op) == 0; });
    if (found == known.end()) {
      refuse(fmt::format("no release knows the operator `{}`{}", op, did_you_mean(op, known)));
    }
    request.ops.push_back(*found);
  }
  return request;
}

}  // namespace trtcheck::cli
