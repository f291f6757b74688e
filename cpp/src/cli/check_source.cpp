#include "cli/check_source.hpp"

#include <unistd.h>

#include "model/fetch.hpp"

namespace trtcheck::cli {
namespace {

constexpr const char* kStandardInput = "<stdin>";

Report check_standard_input(const CheckOptions& options) {
  const File file = File::of_descriptor(kStandardInput, STDIN_FILENO);
  return check(read_model(file, kStandardInput, {}, options.limits), options);
}

}  // namespace

std::string shown_path(const std::string& path) { return path == "-" ? kStandardInput : path; }

Settings settings_of(const SettingsResolver& resolver, const std::string& path) {
  try {
    return path == "-" ? resolver.for_folder("") : resolver.for_model(path);
  } catch (const Error& error) {
    throw Error("", error.what());
  }
}

Report check_source(const std::string& path, const CheckOptions& options) {
  return path == "-" ? check_standard_input(options) : check(path, options);
}

Failure failure_of(const std::string& path, const Error& error) {
  const std::string shown = shown_path(path);
  return {shown, error.path() == shown || error.path() == path ? error.cause() : error.what()};
}

std::string line_about(const std::string& path, const Error& error) {
  const std::string shown = shown_path(path);
  if (error.path() == path) return Error(shown, error.cause(), error.offset()).what();
  return error.path().empty() || error.path() == shown ? error.what() : shown + ": " + error.what();
}

}  // namespace trtcheck::cli
