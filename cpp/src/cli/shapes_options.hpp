// The words of `trtcheck shapes`.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/settings.hpp>
#include <trtcheck/target.hpp>

#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct ShapesRequest {
  std::string path;
  Target target;        ///< only its profile counts
  ConfigChoice config;  ///< only its shape functions count
  SettingsOverrides overrides;
  std::vector<std::string> assume;  ///< --set and --assume
  std::vector<std::string> why;
  std::vector<std::string> only;
  OutputRequest output;
};

struct ShapesWords {
  ShapesWords() { output.formats = {Format::full, Format::concise, Format::json, Format::markdown, Format::html}; }

  std::string path;
  Words profiles;
  SettingsWords settings;
  Words sizes;
  Words assume;
  Words why;
  Words only;
  OutputWords output;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense
  [[nodiscard]] ShapesRequest request() const;
};

[[nodiscard]] int run(const ShapesRequest& request);

}  // namespace trtcheck::cli
