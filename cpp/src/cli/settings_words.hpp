// Words of the command line that stand over a configuration file.
#pragma once

#include <map>
#include <optional>
#include <string>

#include <trtcheck/settings.hpp>

#include "cli/option_words.hpp"

namespace trtcheck::settings {
struct Key;
}

namespace trtcheck::cli {

struct SettingsWords {
  std::optional<std::string> config;
  bool no_config = false;

  /// @param finds_models  whether the command has the options about which models, too
  /// @param reads_data    whether it has those about weights and samples
  void add_to(Options& options, bool finds_models = false, bool reads_data = false);
  /// Only which models, and which configuration.
  void add_paths_to(Options& options);
  /// Only what comes out of operators of the user, and which configuration.
  void add_shape_functions_to(Options& options);
  /// @throws Error  a word that makes no sense
  [[nodiscard]] SettingsOverrides overrides() const;
  [[nodiscard]] ConfigChoice choice() const;

 private:
  /// What was given for a key: one of them, by its type.
  struct Given {
    Words list;
    std::optional<std::string> word;
    bool flag = false;
  };
  void add_option(Options& options, const settings::Key& key, const char* heading);
  void add_config(Options& options);
  std::map<const settings::Key*, Given> given_;
  bool has_config_ = false;
};

}  // namespace trtcheck::cli
