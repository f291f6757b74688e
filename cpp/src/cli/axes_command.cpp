// `trtcheck axes`: what the dynamic axes of a model may be, and which of them cause its findings.
#include <algorithm>
#include <span>

#include "cli/axes_options.hpp"
#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/open_model.hpp"
#include "cli/terminal.hpp"

namespace trtcheck::cli {

int run(const AxesRequest& request) {
  const SettingsResolver resolver(request.config, request.overrides);
  const Model model = open_model(request.path);
  const AxesReport report = told_of(request.path, [&] {
    return axes(model, {.check = resolver.for_model(request.path).check, .asked = request.asked});
  });
  const RenderOptions how{.format = request.output.format, .color = use_color(request.output)};
  write_output(request.output, render(report, how), std::span(&request.path, 1));
  const auto is_caused = [](const AxisCause& cause) { return cause.finding.severity != Severity::info; };
  return std::ranges::any_of(report.caused, is_caused) ? kExitFindings : kExitClean;
}

}  // namespace trtcheck::cli
