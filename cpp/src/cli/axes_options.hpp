// The words of `trtcheck axes`.
#pragma once

#include <string>

#include <trtcheck/axes.hpp>

#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct AxesRequest {
  std::string path;
  ConfigChoice config;
  SettingsOverrides overrides;
  std::vector<std::string> asked;
  OutputRequest output;
};

struct AxesWords {
  AxesWords() { output.formats = {Format::full, Format::json, Format::html}; }

  std::string path;
  Words asked;
  SettingsWords settings;
  OutputWords output;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense
  [[nodiscard]] AxesRequest request() const;
};

[[nodiscard]] int run(const AxesRequest& request);

}  // namespace trtcheck::cli
