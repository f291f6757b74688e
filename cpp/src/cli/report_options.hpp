// The words of `trtcheck report`.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/profile.hpp>

#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct ReportRequest {
  std::string path;
  OutputRequest output;
  ConfigChoice config;
  SettingsOverrides overrides;
  std::vector<SizeRange> dims;  ///< of the proposed profile
  bool quiet = false;
};

struct ReportWords {
  ReportWords() { output.formats = {Format::html, Format::json}; }

  std::string path;
  Words dims;
  bool quiet = false;
  SettingsWords settings;
  OutputWords output;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense
  [[nodiscard]] ReportRequest request() const;
};

[[nodiscard]] int run(const ReportRequest& request);

}  // namespace trtcheck::cli
