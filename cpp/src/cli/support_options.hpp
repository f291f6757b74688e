// The words of `trtcheck support`.
#pragma once

#include <string_view>
#include <vector>

#include "cli/option_words.hpp"

namespace trtcheck::cli {

struct SupportRequest {
  std::vector<std::string_view> ops;  ///< of known_operators() and known_rtx_operators()
  bool lists_all = false;
  bool verbose = false;
  OutputRequest output;
};

struct SupportWords {
  Words ops;
  bool verbose = false;
  OutputWords output;

  void add_to(Options& options);
  /// @throws Error  no release knows the operator
  [[nodiscard]] SupportRequest request() const;
};

[[nodiscard]] int run(const SupportRequest& request);

}  // namespace trtcheck::cli
