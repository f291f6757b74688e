#include <algorithm>
#include <array>

#include "cli/commands.hpp"
#include "cli/diff_options.hpp"
#include "cli/open_model.hpp"
#include "cli/terminal.hpp"

namespace trtcheck::cli {
namespace {

struct Checked {
  Model model;
  Report report;
};

Checked checked(const SettingsResolver& resolver, const std::string& path) {
  Settings settings = resolver.for_model(path);
  settings.check.neighbourhoods = true;  // JSON shows them
  Model model = open_model(path, settings.check.limits);
  try {
    Report report = check(model, settings.check);
    return {std::move(model), std::move(report)};
  } catch (const Error& error) {
    refuse(error.path() == path ? error.what() : path + ": " + error.what());
  }
}

bool fails(const Diff& diff, DiffRequest::FailOn fail_on) {
  switch (fail_on) {
    case DiffRequest::FailOn::new_error:
      return diff.has_new(Severity::error);
    case DiffRequest::FailOn::new_warning:
      return diff.has_new(Severity::warning);
    case DiffRequest::FailOn::new_info:
      return diff.has_new(Severity::info);
    case DiffRequest::FailOn::interface:
      return diff.changes_interface();
  }
  return false;
}

}  // namespace

int run(const DiffRequest& request) {
  const SettingsResolver resolver(request.config, request.overrides);
  const Checked before = checked(resolver, request.before), after = checked(resolver, request.after);
  const Diff made = diff(before.model, before.report, after.model, after.report);
  const RenderOptions how{
      .format = request.output.format, .color = use_color(request.output), .width = text_width(request.output)};
  const std::array<std::string, 2> inputs{request.before, request.after};
  write_output(request.output, render(made, how), inputs);
  const auto is_met = [&](DiffRequest::FailOn fail_on) { return fails(made, fail_on); };
  return std::ranges::any_of(request.fail_on, is_met) ? kExitFindings : kExitClean;
}

}  // namespace trtcheck::cli
