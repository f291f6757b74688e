#include "cli/check_source.hpp"

#include <unistd.h>

#include "cli/open_model.hpp"
#include "model/fetch.hpp"

namespace trtcheck::cli {

Settings settings_of(const SettingsResolver& resolver, const Source& source) {
  try {
    return source.is_standard_input() ? resolver.for_folder("") : resolver.for_model(source.path());
  } catch (const Error& error) {
    throw Error("", error.what());
  }
}

std::vector<ShapeFunction> shape_functions_of(const ConfigChoice& config, const SettingsOverrides& overrides,
                                              const std::string& path) {
  return settings_of(SettingsResolver(config, overrides), Source(path)).check.target.shape_functions;
}

void read_source(const Source& source, const Limits& limits, const std::function<void(const Model&)>& use) {
  if (!source.is_standard_input()) return use(open_model(source.path(), limits));
  const File file = File::of_descriptor(source.shown(), STDIN_FILENO);
  use(read_model(file, source.shown(), {}, limits));
}

Report check_source(const Source& source, const CheckOptions& options) {
  Report report;
  read_source(source, options.limits, [&](const Model& model) { report = check(model, options); });
  return report;
}

Failure failure_of(const Source& source, const Error& error) {
  const std::string shown = source.shown();
  return {shown, error.path() == shown || error.path() == source.word() ? error.cause() : error.what()};
}

std::string line_about(const Source& source, const Error& error) {
  const std::string shown = source.shown();
  if (error.path() == source.word()) return Error(shown, error.cause(), error.offset()).what();
  return error.path().empty() || error.path() == shown ? error.what() : shown + ": " + error.what();
}

}  // namespace trtcheck::cli
