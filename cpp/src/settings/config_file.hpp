// One configuration file: found, read, checked.
#pragma once

#include <map>
#include <optional>
#include <string>

#include <trtcheck/settings.hpp>

namespace trtcheck::settings {

struct ConfigFile {
  std::string path;                  ///< absolute
  SettingsOverrides given;           ///< patterns and paths in it are relative to the file's folder
  std::map<std::string, int> lines;  ///< of each key, and of each entry of a table: "severity.QDQ104"
};

/// The configuration in that very folder: trtcheck.toml, or else a pyproject.toml that has the table.
/// @throws Error  cannot be read, or makes no sense; the path is `trtcheck.toml:3`
[[nodiscard]] std::optional<ConfigFile> config_in(const std::string& folder);

/// A file that the user names.
/// @param path  absolute
/// @throws Error  as above, and for a pyproject.toml without the table
[[nodiscard]] ConfigFile config_at(const std::string& path);

}  // namespace trtcheck::settings
