// The words of `trtcheck fix`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/fix.hpp>
#include <trtcheck/report.hpp>
#include <trtcheck/settings.hpp>

#include "cli/data_words.hpp"
#include "cli/option_words.hpp"
#include "cli/settings_words.hpp"
#include "cli/witness_words.hpp"

namespace trtcheck::cli {

struct FixRequest {
  /// What is done with the repaired models.
  enum class Mode : std::uint8_t {
    write,     ///< into `output`, or beside the model
    in_place,  ///< over the model
    list,      ///< nothing is written
    diff,      ///< nothing is written; nodes before and after
    cures,     ///< no model: what can be repaired
  };
  std::vector<std::string> paths;
  ConfigChoice config;
  SettingsOverrides overrides;
  bool force_exclude = false;
  Mode mode = Mode::write;
  std::string output;                   ///< "" = beside the model, "net.fixed.onnx"
  std::optional<edit::DataPlace> data;  ///< asked for: written even where nothing was repaired
  std::optional<std::string> witness;   ///< who is asked, "" = the usual one; nothing = nobody
  bool keeps_old = true;                ///< in place: as net.onnx.bak
  std::vector<CureClass> classes;
  std::vector<std::string> cures;
  std::size_t rounds = 10;
  std::vector<StaticSize> sizes;
  std::vector<NamedAxis> dynamic;
  Format format = Format::full;
  bool no_color = false;
};

struct FixWords {
  Words paths;
  SettingsWords settings;
  bool force_exclude = false;
  bool in_place = false;
  bool no_backup = false;
  bool list = false;
  bool diff = false;
  bool show_cures = false;
  DataWords data;
  WitnessWords witness;
  std::string output;
  Words classes;
  Words cures;
  Words sizes;
  Words dynamic;
  std::string rounds = "10";
  std::string format = "full";
  bool no_color = false;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense, said before any model is read
  [[nodiscard]] FixRequest request() const;
};

[[nodiscard]] int run(const FixRequest& request);

}  // namespace trtcheck::cli
