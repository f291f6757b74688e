// Words of the command line that stand over a configuration file.
#pragma once

#include <optional>
#include <string>

#include <trtcheck/settings.hpp>

#include "cli/option_words.hpp"

namespace trtcheck::cli {

struct SettingsWords {
  std::optional<std::string> target;
  std::optional<std::string> compute_capability;
  std::optional<std::string> fail_on;
  std::optional<std::string> config;
  bool no_config = false;
  Words precisions;
  Words plugins;
  Words profiles;
  Words select;
  Words extend_select;
  Words ignore;

  void add_to(CLI::App& app);
  /// @throws Error  a word that makes no sense
  [[nodiscard]] SettingsOverrides overrides() const;
  [[nodiscard]] ConfigChoice choice() const;
};

}  // namespace trtcheck::cli
