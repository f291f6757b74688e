// The words of `trtcheck settings`.
#pragma once

#include <string>

#include <trtcheck/settings.hpp>

#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct SettingsRequest {
  std::string path;  ///< a model or a folder; "" = the working folder
  ConfigChoice config;
  SettingsOverrides overrides;
  bool schema = false;  ///< print the JSON schema instead
  OutputRequest output;
};

struct ShownSettingsWords {
  std::string path;
  SettingsWords settings;
  bool schema = false;
  OutputWords output;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense
  [[nodiscard]] SettingsRequest request() const;
};

[[nodiscard]] int run(const SettingsRequest& request);

}  // namespace trtcheck::cli
