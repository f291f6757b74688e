// `trtcheck report`: one page that says of one model what check, matrix, profile, quantization, types and shapes say.
#include <span>
#include <utility>

#include "cli/baselines.hpp"
#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/one_report.hpp"
#include "cli/open_model.hpp"
#include "cli/output_place.hpp"
#include "cli/report_options.hpp"

namespace trtcheck::cli {
namespace {

Settings settings_for(const ReportRequest& request) {
  Settings settings = settings_of(SettingsResolver(request.config, request.overrides), request.path);
  load_ranges(settings);
  settings.check.neighbourhoods = true;
  return settings;
}

/// As `check` does it.
Report without_known(Report report, const Settings& settings, const ReportRequest& request) {
  Baselines baselines(Baselines::Mode::apply);
  baselines.open(settings);
  baselines.apply(report, settings);
  UnmatchedSettings unmatched;
  unmatched.add(settings, report);
  if (request.quiet) return report;
  for (const std::string& line : unmatched.lines()) complain("warning: " + line);
  return report;
}

ProfileProposal proposal_for(const LayersOfModel& of, const ReportRequest& request) {
  try {
    return propose(of.model(), {.given = of.target().profile, .dims = request.dims, .target = of.target()});
  } catch (const Error& error) {
    throw Error(request.path, error.what());
  }
}

OneReport one_report(const LayersOfModel& of, const Settings& settings, const ReportRequest& request) {
  CheckOptions brief = settings.check;
  brief.neighbourhoods = false;
  Report report = without_known(of.report(), settings, request);
  std::vector<std::string> not_looked = not_looked_at(of, settings.check, report);
  return {.of = of,
          .report = std::move(report),
          .matrix = matrix(of.analysis(), brief, parse_releases("all")),
          .profile = proposal_for(of, request),
          .casts = type_borders(of.model(), of.shapes(), of.target()),
          .not_looked = std::move(not_looked)};
}

/// What the function makes; its errors are about the model.
template <class Make>
auto about_model(const ReportRequest& request, Make make) {
  try {
    return make();
  } catch (const Error& error) {
    refuse(line_about(request.path, error));
  }
}

void write(const OneReport& one, const ReportRequest& request) {
  const std::span inputs(&request.path, 1);
  if (request.output.format == Format::html) return write_output(request.output, report_page(one), inputs);
  write_output(
      request.output, [&](const Sink& sink) { write_report_json(sink, one); }, inputs);
}

}  // namespace

int run(const ReportRequest& request) {
  refuse_unwritable(request.output, std::span(&request.path, 1));
  const Settings settings = settings_for(request);
  const LayersOfModel of = about_model(
      request, [&] { return LayersOfModel(open_model(request.path, settings.check.limits), settings.check); });
  const OneReport one = about_model(request, [&] { return one_report(of, settings, request); });
  write(one, request);
  return fails(one.report, settings.fail_on) ? kExitFindings : kExitClean;
}

}  // namespace trtcheck::cli
