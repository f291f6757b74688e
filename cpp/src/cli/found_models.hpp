// The models that the words of a command line name, as the settings have it.
#pragma once

#include <span>
#include <string>

#include <trtcheck/discover.hpp>
#include <trtcheck/settings.hpp>

namespace trtcheck::cli {

/// Where the settings of this folder are broken, what Git ignores is passed over: whoever checks a model says so.
/// @throws Error  the settings of a model are broken
[[nodiscard]] FoundModels found_models(const SettingsResolver& resolver, std::span<const std::string> words,
                                       bool force_exclude);

/// What can be said before any model is read; a quiet command leaves warnings out.
void complain_about(const FoundModels& found, bool quiet);

}  // namespace trtcheck::cli
