// The words of `trtcheck diff`.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/diff.hpp>
#include <trtcheck/settings.hpp>

#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct DiffRequest {
  /// What makes `diff` end with 1.
  enum class FailOn : std::uint8_t { new_error, new_warning, new_info, interface };
  std::string before;
  std::string after;
  ConfigChoice config;
  SettingsOverrides overrides;
  std::vector<FailOn> fail_on;
  OutputRequest output;
};

struct DiffWords {
  std::string before;
  std::string after;
  SettingsWords settings;
  Words fail_on;
  OutputWords output{&report::FormatRow::compares};

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense, said before any model is read
  [[nodiscard]] DiffRequest request() const;
};

[[nodiscard]] int run(const DiffRequest& request);

}  // namespace trtcheck::cli
