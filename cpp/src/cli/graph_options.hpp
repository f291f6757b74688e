// The words of `trtcheck graph`.
#pragma once

#include <cstdint>
#include <string>

#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct GraphRequest {
  std::string path;
  std::string around;  ///< label of a node, name of a tensor, or code of a finding
  std::uint32_t depth = 2;
  std::string file;  ///< "" = standard output
  ConfigChoice config;
  SettingsOverrides overrides;
};

struct GraphWords {
  std::string path;
  std::string around;
  std::string depth = "2";
  std::string file;
  SettingsWords settings;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense
  [[nodiscard]] GraphRequest request() const;
};

[[nodiscard]] int run(const GraphRequest& request);

}  // namespace trtcheck::cli
