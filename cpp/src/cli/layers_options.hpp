// The words of `trtcheck quantization` and `trtcheck types`, which tell how layers run.
#pragma once

#include <string>

#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct LayersRequest {
  std::string path;
  OutputRequest output;
  ConfigChoice config;
  SettingsOverrides overrides;
};
struct QuantizationRequest : LayersRequest {};
struct TypesRequest : LayersRequest {
  bool sparsity = false;
};

struct LayersWords {
  explicit LayersWords(bool report::FormatRow::*may = &report::FormatRow::lists) : output(may) {}

  std::string path;
  SettingsWords settings;
  OutputWords output;

  void add_to(Options& options, bool reads_weights = false);

 protected:
  /// @throws Error  a word that makes no sense
  [[nodiscard]] LayersRequest layers_request() const;
};

struct QuantizationWords : LayersWords {
  QuantizationWords() : LayersWords(&report::FormatRow::forecasts) {}
  [[nodiscard]] QuantizationRequest request() const { return {layers_request()}; }
};
struct TypesWords : LayersWords {
  bool sparsity = false;

  void add_to(Options& options);
  [[nodiscard]] TypesRequest request() const { return {layers_request(), sparsity}; }
};

[[nodiscard]] int run(const QuantizationRequest& request);
[[nodiscard]] int run(const TypesRequest& request);

}  // namespace trtcheck::cli
