#include "cli/settings_options.hpp"

#include <CLI/CLI.hpp>

namespace trtcheck::cli {

void ShownSettingsWords::add_to(CLI::App& app) {
  app.add_option("PATH", path, "model or folder (default: the working folder)")->type_name("");
  settings.add_to(app);
  app.add_flag("--schema", schema, "print the JSON schema of trtcheck.toml");
  output.add_to(app);
}

SettingsRequest ShownSettingsWords::request() const {
  return {path, settings.choice(), settings.overrides(), schema, output.request()};
}

}  // namespace trtcheck::cli
