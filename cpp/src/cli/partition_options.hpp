// The words of `trtcheck partition`.
#pragma once

#include <string>

#include <trtcheck/partition.hpp>

#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct PartitionRequest {
  std::string path;
  ConfigChoice config;
  SettingsOverrides overrides;
  PartitionOptions options;  ///< but for those of the check
  std::string folder;        ///< for the pieces; "" = they are not written
  OutputRequest output;
};

struct PartitionWords {
  std::string path;
  bool ort = false;
  Words exclude;
  std::string least_nodes = "1";
  std::string folder;
  std::string format = "full";
  bool no_color = false;
  SettingsWords settings;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense
  [[nodiscard]] PartitionRequest request() const;
};

[[nodiscard]] int run(const PartitionRequest& request);

}  // namespace trtcheck::cli
