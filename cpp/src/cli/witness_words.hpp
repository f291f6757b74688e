// `--confirm` and `--witness` of commands that ask a witness beside what they do.
#pragma once

#include <optional>
#include <string>

#include "cli/option_words.hpp"

namespace trtcheck::cli {

struct WitnessWords {
  bool confirm = false;
  std::string witness;

  /// @param what  that it is asked about: "each finding"
  void add_to(Options& options, const char* what, const char* heading);
  /// Who is asked, as `WitnessSearch::path`; nothing: nobody.
  /// @throws Error  words that make no sense
  [[nodiscard]] std::optional<std::string> who() const;
};

}  // namespace trtcheck::cli
