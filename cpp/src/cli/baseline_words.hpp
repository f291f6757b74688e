// --baseline and what is done with it.
#pragma once

#include <optional>
#include <string>

#include <trtcheck/settings.hpp>

#include "cli/baselines.hpp"
#include "cli/options.hpp"

namespace trtcheck::cli {

struct BaselineWords {
  std::optional<std::string> file;
  bool update = false;
  bool prune = false;

  void add_to(Options& options);
  void put_into(SettingsOverrides& overrides) const;
  /// @throws Error  both at once
  [[nodiscard]] Baselines::Mode mode() const;
};

}  // namespace trtcheck::cli
