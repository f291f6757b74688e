// The words of `trtcheck matrix`.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trtcheck/matrix.hpp>
#include <trtcheck/settings.hpp>

#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct MatrixRequest {
  /// What makes `matrix` end with 1: of the releases asked, that refuse a model.
  enum class FailOn : std::uint8_t { any, newest, every, never };
  std::vector<std::string> paths;
  ConfigChoice config;
  SettingsOverrides overrides;
  bool force_exclude = false;
  bool quiet = false;
  std::vector<TrtVersion> releases;
  std::optional<std::pair<TrtVersion, TrtVersion>> upgrade;  ///< compare these two, and nothing else
  FailOn fail_on = FailOn::every;
  OutputRequest output;
};

struct MatrixWords {
  Words paths;
  SettingsWords settings;
  bool force_exclude = false;
  bool quiet = false;
  std::optional<std::string> target;
  std::optional<std::string> from;
  std::optional<std::string> to;
  std::optional<std::string> fail_on;
  OutputWords output{&report::FormatRow::tabulates};

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense, said before any model is read
  [[nodiscard]] MatrixRequest request() const;
};

[[nodiscard]] int run(const MatrixRequest& request);

}  // namespace trtcheck::cli
