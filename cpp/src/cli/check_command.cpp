#include <string>
#include <vector>

#include "cli/baselines.hpp"
#include "cli/check_options.hpp"
#include "cli/commands.hpp"

namespace trtcheck::cli {
namespace {

/// An option that does not fit this model is said with the model's name, too.
std::string about(const std::string& path, const Error& error) {
  return error.path() == path ? error.what() : path + ": " + error.what();
}

/// Of all models before the first is checked: a broken configuration is said once.
std::vector<Settings> settings_of(const CheckRequest& request) {
  const SettingsResolver resolver(request.config, request.overrides);
  std::vector<Settings> made;
  made.reserve(request.paths.size());
  for (const std::string& path : request.paths) made.push_back(resolver.for_model(path));
  return made;
}

}  // namespace

int run(const CheckRequest& request) {
  const std::vector<Settings> settings = settings_of(request);
  std::vector<Report> reports;
  reports.reserve(request.paths.size());
  Baselines baselines(request.baseline_mode);
  for (const Settings& each : settings) baselines.open(each);
  UnmatchedSettings unmatched;
  int code = kExitClean;
  for (std::size_t i = 0; i < request.paths.size(); ++i) {
    const std::string& path = request.paths[i];
    try {
      reports.push_back(check(path, settings[i].check));
    } catch (const Error& error) {
      complain(about(path, error));
      code = kExitFailed;
      continue;
    }
    unmatched.add(settings[i], reports.back());
    baselines.apply(reports.back(), settings[i]);
    if (code == kExitClean && fails(reports.back(), settings[i].fail_on)) code = kExitFindings;
  }
  for (const std::string& line : unmatched.lines()) complain("warning: " + line);
  // A document with no model in it would hide that nothing was checked; JSON readers want their document.
  if (!reports.empty() || request.output.format == Format::json) {
    const RenderOptions how{.format = request.output.format, .color = use_color(request.output), .width = text_width()};
    write_output(request.output, render(reports, how), request.paths);
  }
  if (code != kExitFailed) baselines.finish(request.paths);
  return code;
}

}  // namespace trtcheck::cli
