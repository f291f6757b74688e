// Several outputs of one run: each --output belongs to the --output-format before it.
#pragma once

#include <vector>

#include "cli/option_words.hpp"

namespace trtcheck::cli {

/// --output-format and --output, each any number of times, and --no-color.
struct OutputsWords {
  Words formats;
  Words files;
  bool no_color = false;

  void add_to(Options& options);
  /// One for each file; a format without a file goes to standard output, and `-` is standard output. A file before any
  /// format gets `full`; one format and one file belong together in either order.
  /// @throws Error  unknown format; two outputs to one file, or to standard output
  [[nodiscard]] std::vector<OutputRequest> requests() const;

 private:
  Words order_;  ///< all options as they were given
};

}  // namespace trtcheck::cli
