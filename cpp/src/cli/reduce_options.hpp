// The words of `trtcheck reduce`.
#pragma once

#include <string>

#include <trtcheck/reduce.hpp>
#include <trtcheck/settings.hpp>

#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct ReduceRequest {
  std::string path;
  ConfigChoice config;
  SettingsOverrides overrides;
  ReduceOptions options;  ///< but for `check`
  std::string output;     ///< "" = beside the model, "net.reduced.onnx"
  std::string report;     ///< folder; "" = none
  bool is_json = false;
  bool no_color = false;
};

struct ReduceWords {
  std::string path;
  std::string finding;
  std::string command;
  std::string timeout = "60";
  std::string weights = "random";
  bool anonymous = false;
  std::string report;
  std::string output;
  SettingsWords settings;
  std::string format = "full";
  bool no_color = false;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense, said before the model is read
  [[nodiscard]] ReduceRequest request() const;
};

[[nodiscard]] int run(const ReduceRequest& request);

}  // namespace trtcheck::cli
