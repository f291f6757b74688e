#include "cli/witness_words.hpp"

#include <fmt/core.h>

#include "target/releases.hpp"

namespace trtcheck::cli {

void WitnessWords::add_to(Options& options, const char* what, const char* heading) {
  options.add_flag("--confirm", confirm, fmt::format("ask NVIDIA's builder about {}, if it is installed", what))
      .group(heading);
  options.add("--witness", witness, "with --confirm: a library, its folder, or a release such as 10.16")
      .value("WHO")
      .group(heading);
}

std::optional<std::string> WitnessWords::who() const {
  if (!witness.empty() && !confirm) refuse("--witness goes with --confirm");
  if (witness == kAll) refuse("--witness: one is asked here; `trtcheck confirm --witness all` asks all");
  return confirm ? std::optional(witness) : std::nullopt;
}

}  // namespace trtcheck::cli
