// The words of `trtcheck version`, which `trtcheck --version` is short for.
#pragma once

#include "cli/option_words.hpp"

namespace trtcheck::cli {

struct VersionRequest {
  OutputRequest output;
};

struct VersionWords {
  OutputWords output;

  void add_to(Options& options) { output.add_to(options); }
  [[nodiscard]] VersionRequest request() const { return {output.request()}; }
};

[[nodiscard]] int run(const VersionRequest& request);

}  // namespace trtcheck::cli
