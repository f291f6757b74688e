// The words of `trtcheck simplify`.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/settings.hpp>
#include <trtcheck/simplify.hpp>

#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"

namespace trtcheck::cli {

struct SimplifyRequest {
  /// What is done with the simplified models.
  enum class Mode : std::uint8_t {
    write,     ///< into `output`, or beside the model
    in_place,  ///< over the model
    list,      ///< nothing is written
    diff,      ///< nothing is written; nodes before and after
  };
  std::vector<std::string> paths;
  ConfigChoice config;
  SettingsOverrides overrides;
  bool force_exclude = false;
  Mode mode = Mode::write;
  std::string output;     ///< "" = beside the model, "net.simplified.onnx"
  bool keeps_old = true;  ///< in place: as net.onnx.bak
  SimplifyOptions options;
  bool is_json = false;
  bool no_color = false;
};

struct SimplifyWords {
  Words paths;
  SettingsWords settings;
  bool force_exclude = false;
  bool in_place = false;
  bool no_backup = false;
  bool list = false;
  bool diff = false;
  std::string output;
  Words sizes;
  Words classes;
  bool fuses = false;
  std::string format = "full";
  bool no_color = false;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense, said before any model is read
  [[nodiscard]] SimplifyRequest request() const;
};

[[nodiscard]] int run(const SimplifyRequest& request);

}  // namespace trtcheck::cli
