// The words of `trtcheck check`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <trtcheck/settings.hpp>

#include "cli/baseline_words.hpp"
#include "cli/output_words.hpp"
#include "cli/settings_words.hpp"
#include "cli/witness_words.hpp"

namespace trtcheck::cli {

struct CheckRequest {
  std::vector<std::string> paths;
  ConfigChoice config;
  SettingsOverrides overrides;
  Baselines::Mode baseline_mode = Baselines::Mode::apply;
  bool force_exclude = false;
  std::optional<std::string> witness;  ///< who is asked, "" = the usual one; nothing = nobody
  unsigned jobs = 1;
  bool quiet = false;
  bool statistics = false;
  bool all_findings = false;
  bool show_all = false;
  std::vector<OutputRequest> outputs;
};

struct CheckWords {
  Words paths;
  bool force_exclude = false;
  WitnessWords witness;
  std::string jobs;
  bool quiet = false;
  bool statistics = false;
  bool all_findings = false;
  bool show_all = false;
  SettingsWords settings;
  BaselineWords baseline;
  OutputsWords outputs;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense, said before any model is read
  [[nodiscard]] CheckRequest request() const;
};

[[nodiscard]] int run(const CheckRequest& request);

}  // namespace trtcheck::cli
