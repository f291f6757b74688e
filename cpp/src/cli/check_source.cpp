#include "cli/check_source.hpp"

#include <unistd.h>

#include "cli/open_model.hpp"
#include "model/fetch.hpp"

namespace trtcheck::cli {
namespace {

constexpr const char* kStandardInput = "<stdin>";

}  // namespace

std::string shown_path(const std::string& path) { return path == "-" ? kStandardInput : path; }

Settings settings_of(const SettingsResolver& resolver, const std::string& path) {
  try {
    return path == "-" ? resolver.for_folder("") : resolver.for_model(path);
  } catch (const Error& error) {
    throw Error("", error.what());
  }
}

void read_source(const std::string& path, const Limits& limits, const std::function<void(const Model&)>& use) {
  if (path != "-") return use(open_model(path, limits));
  const File file = File::of_descriptor(kStandardInput, STDIN_FILENO);
  use(read_model(file, kStandardInput, {}, limits));
}

Report check_source(const std::string& path, const CheckOptions& options) {
  Report report;
  read_source(path, options.limits, [&](const Model& model) { report = check(model, options); });
  return report;
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
