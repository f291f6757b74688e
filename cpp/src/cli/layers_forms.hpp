// What `trtcheck quantization`, `trtcheck types` and `trtcheck report` have in common: a model that is read and asked,
// and the forms of the answer.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <trtcheck/trtcheck.hpp>

#include "cli/layers_options.hpp"
#include "one_report/layers_of_model.hpp"
#include "report/style.hpp"

namespace trtcheck::cli {

/// A model with its layers; stays where it is.
class OpenedLayers {
 public:
  /// @throws Error  the model cannot be read, or an option does not fit
  explicit OpenedLayers(const LayersRequest& request);
  /// @throws Error  an option does not fit
  OpenedLayers(Model model, const CheckOptions& options);
  OpenedLayers(const OpenedLayers&) = delete;
  OpenedLayers& operator=(const OpenedLayers&) = delete;
  ~OpenedLayers() = default;

  [[nodiscard]] const one_report::LayersOfModel& of() const noexcept { return of_; }

 private:
  Model model_;
  Analysis analysis_;
  one_report::LayersOfModel of_;
};

/// The forms that such a command prints; the one that is asked for is made.
struct LayersForms {
  std::function<std::string(const report::Style& style)> full;
  std::function<std::string()> concise;
  std::function<nlohmann::ordered_json()> json;
  std::function<std::string()> html = {};
};
/// @throws Error  cannot write
void write(const LayersRequest& request, const LayersForms& forms);

}  // namespace trtcheck::cli
