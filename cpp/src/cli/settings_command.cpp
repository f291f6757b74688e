// `trtcheck settings`: what a model is checked with, and who said so.
#include <filesystem>
#include <system_error>

#include <fmt/core.h>

#include "cli/commands.hpp"
#include "cli/settings_options.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

Settings settings_of(const SettingsRequest& request) {
  const SettingsResolver resolver(request.config, request.overrides);
  std::error_code failed;
  const auto kind = std::filesystem::status(request.path, failed).type();
  if (request.path.empty() || kind == std::filesystem::file_type::directory) return resolver.for_folder(request.path);
  // A model that is about to be made has settings, too; one in a folder that is not there is a slip of the pen.
  const std::filesystem::path folder = std::filesystem::path(request.path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, failed)) {
    throw Error(request.path, "there is no such folder");
  }
  return resolver.for_model(request.path);
}

std::string text(const Settings& settings, const SettingsRequest& request) {
  if (request.output.format == Format::json) return settings_json(settings, request.path);
  const std::string file = settings.file.empty() ? "no configuration file" : settings.file;
  const std::string path = request.path.empty() ? "the working folder" : request.path;
  return fmt::format("# {}: {}\n{}", printable(path), printable(file), settings_toml(settings));
}

}  // namespace

int run(const SettingsRequest& request) {
  write_output(request.output, request.schema ? settings_schema() : text(settings_of(request), request));
  return kExitClean;
}

}  // namespace trtcheck::cli
