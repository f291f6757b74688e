// The words of `trtcheck extract`.
#pragma once

#include <string>

#include <trtcheck/extract.hpp>
#include <trtcheck/settings.hpp>

#include "cli/data_words.hpp"
#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct ExtractRequest {
  std::string path;
  ConfigChoice config;  ///< only its shape functions count
  SettingsOverrides overrides;
  ExtractOptions options;
  std::string output;  ///< "" = beside the model, "net.extracted.onnx"
  bool only_shows = false;
  edit::DataPlace data = edit::DataPlace::kept;
  bool is_json = false;
  bool no_color = false;
};

struct ExtractWords {
  std::string path;
  Words inputs;
  Words outputs;
  bool list = false;
  std::string output;
  DataWords data;
  SettingsWords settings;
  std::string format = "full";
  bool no_color = false;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense, said before the model is read
  [[nodiscard]] ExtractRequest request() const;
};

[[nodiscard]] int run(const ExtractRequest& request);

}  // namespace trtcheck::cli
