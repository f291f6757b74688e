#include "cli/settings_options.hpp"

namespace trtcheck::cli {

void ShownSettingsWords::add_to(Options& options) {
  options.add_argument("PATH", path, "model or folder (default: the working folder)");
  settings.add_to(options);
  options.add_flag("--schema", schema, "print the JSON schema of trtcheck.toml");
  output.add_to(options);
}

SettingsRequest ShownSettingsWords::request() const {
  return {path, settings.choice(), settings.overrides(), schema, output.request()};
}

}  // namespace trtcheck::cli
