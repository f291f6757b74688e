// The words of `trtcheck check`.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/trtcheck.hpp>

#include "cli/output_words.hpp"

namespace trtcheck::cli {

/// Lowest severity that makes `check` end with 1.
enum class FailOn : std::uint8_t { info, warning, error, never };

struct CheckRequest {
  std::vector<std::string> paths;
  CheckOptions options;
  FailOn fail_on = FailOn::error;
  std::vector<OutputRequest> outputs;
};

struct CheckWords {
  Words paths;
  std::string target = "latest";
  std::string compute_capability;
  std::string fail_on = "error";
  Words precisions;
  Words plugins;
  Words profiles;
  Words select;
  Words ignore;
  OutputsWords outputs;

  void add_to(CLI::App& app);
  /// @throws Error  a word that makes no sense, said before any model is read
  [[nodiscard]] CheckRequest request() const;
};

[[nodiscard]] int run(const CheckRequest& request);

}  // namespace trtcheck::cli
