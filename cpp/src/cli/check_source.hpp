// One model of the command line: a file, or standard input.
#pragma once

#include <functional>
#include <string>

#include <trtcheck/settings.hpp>

namespace trtcheck::cli {

/// "<stdin>" for "-", else the path itself.
[[nodiscard]] std::string shown_path(const std::string& path);

/// @throws Error  without a path: the configuration is broken, which is not the fault of this model
[[nodiscard]] Settings settings_of(const SettingsResolver& resolver, const std::string& path);

/// The model is there as long as `use` runs.
/// @throws Error  cannot be read
void read_source(const std::string& path, const Limits& limits, const std::function<void(const Model&)>& use);

/// @throws Error  cannot be read, or an option does not fit
[[nodiscard]] Report check_source(const std::string& path, const CheckOptions& options);

/// The same for a document: path of the model, what is wrong.
[[nodiscard]] Failure failure_of(const std::string& path, const Error& error);

/// The error as one line that names the model, unless it is about something else.
[[nodiscard]] std::string line_about(const std::string& path, const Error& error);

}  // namespace trtcheck::cli
