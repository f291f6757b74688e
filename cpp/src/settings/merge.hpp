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

}  // namespace trtcheck::settings
