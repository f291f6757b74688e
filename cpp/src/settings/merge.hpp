// Defaults, the file over them, the caller over both.
#pragma once

#include <string>

#include <trtcheck/settings.hpp>

#include "settings/config_file.hpp"

namespace trtcheck::settings {

/// @param file       nullptr = none
/// @param overrides  patterns and paths in it are relative to `here`
/// @param here       the working folder, absolute
[[nodiscard]] Settings merge(const ConfigFile* file, const SettingsOverrides& overrides, const std::string& here);

/// Reads what `ranges` names into `check.ranges`.
/// @throws Error  the file cannot be read, or holds no ranges
void load_ranges(Settings& settings);

}  // namespace trtcheck::settings
