// The words of `trtcheck memory`.
#pragma once

#include <string>

#include <trtcheck/memory.hpp>
#include <trtcheck/settings.hpp>

#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct MemoryRequest {
  std::string path;
  ConfigChoice config;  ///< only its shape functions count
  SettingsOverrides overrides;
  MemoryOptions options;
  OutputRequest output;
};

struct MemoryWords {
  MemoryWords() { output.formats = {Format::full, Format::json, Format::html}; }

  std::string path;
  Words profiles;
  std::string target;
  SettingsWords settings;
  OutputWords output;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense
  [[nodiscard]] MemoryRequest request() const;
};

[[nodiscard]] int run(const MemoryRequest& request);

}  // namespace trtcheck::cli
