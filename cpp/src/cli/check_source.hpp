// One model of the command line: a file, or standard input.
#pragma once

#include <functional>
#include <string>

#include <trtcheck/settings.hpp>

#include "bytes/source.hpp"

namespace trtcheck::cli {

/// @throws Error  without a path: the configuration is broken, which is not the fault of this model
[[nodiscard]] Settings settings_of(const SettingsResolver& resolver, const Source& source);

/// What the configuration says of operators of the user.
/// @throws Error  without a path: the configuration is broken
[[nodiscard]] std::vector<ShapeFunction> shape_functions_of(const ConfigChoice& config,
                                                            const SettingsOverrides& overrides,
                                                            const std::string& path);

/// The model is there as long as `use` runs.
/// @throws Error  cannot be read
void read_source(const Source& source, const Limits& limits, const std::function<void(const Model&)>& use);

/// @throws Error  cannot be read, or an option does not fit
[[nodiscard]] Report check_source(const Source& source, const CheckOptions& options);

/// The same for a document: path of the model, what is wrong.
[[nodiscard]] Failure failure_of(const Source& source, const Error& error);

/// The error as one line that names the model, unless it is about something else.
[[nodiscard]] std::string line_about(const Source& source, const Error& error);

}  // namespace trtcheck::cli
