// The words of `trtcheck check`.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/settings.hpp>

#include "cli/baseline_words.hpp"
#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct CheckRequest {
  std::vector<std::string> paths;
  ConfigChoice config;
  SettingsOverrides overrides;
  Baselines::Mode baseline_mode = Baselines::Mode::apply;
  OutputRequest output;
};

struct CheckWords {
  Words paths;
  SettingsWords settings;
  BaselineWords baseline;
  OutputWords output;

  void add_to(CLI::App& app);
  /// @throws Error  a word that makes no sense, said before any model is read
  [[nodiscard]] CheckRequest request() const;
};

[[nodiscard]] int run(const CheckRequest& request);

}  // namespace trtcheck::cli
