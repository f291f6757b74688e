// The words of `trtcheck confirm`.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/settings.hpp>

#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct ConfirmRequest {
  std::vector<std::string> paths;
  ConfigChoice config;
  SettingsOverrides overrides;
  bool force_exclude = false;
  bool propose_profile = false;
  bool parse_only = false;
  std::string witness;   ///< "" = search
  double timeout = 300;  ///< seconds
  double memory = 0;     ///< GB; 0 = as the library chooses
  bool quiet = false;
  OutputRequest output;
};

struct ConfirmWords {
  Words paths;
  bool force_exclude = false;
  bool propose_profile = false;
  bool parse_only = false;
  std::string witness;
  std::string timeout = "300";
  std::string memory;
  bool quiet = false;
  SettingsWords settings;
  OutputWords output{&report::FormatRow::confirms};

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense, said before any model is read
  [[nodiscard]] ConfirmRequest request() const;
};

[[nodiscard]] int run(const ConfirmRequest& request);

}  // namespace trtcheck::cli
