// `trtcheck report`: one page that says of one model what check, matrix, profile, quantization, types and shapes say.
#include <span>
#include <utility>

#include "cli/baselines.hpp"
#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/layers_forms.hpp"
#include "cli/open_model.hpp"
#include "cli/output_place.hpp"
#include "cli/report_options.hpp"
#include "one_report/one_report.hpp"

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

/// What the function makes; its errors are about the model.
template <class Make>
auto about_model(const ReportRequest& request, Make make) {
  try {
    return make();
  } catch (const Error& error) {
    refuse(line_about(request.path, error));
  }
}

using one_report::OneReport;

void write(const OneReport& one, const ReportRequest& request) {
  const std::span inputs(&request.path, 1);
  if (request.output.format == Format::html) return write_output(request.output, one_report::report_page(one), inputs);
  write_output(
      request.output, [&](const Sink& sink) { one_report::write_report_json(sink, one); }, inputs);
}

}  // namespace

int run(const ReportRequest& request) {
  refuse_unwritable(request.output, std::span(&request.path, 1));
  const Settings settings = settings_for(request);
  const OpenedLayers opened = about_model(
      request, [&] { return OpenedLayers(open_model(request.path, settings.check.limits), settings.check); });
  const OneReport one = about_model(request, [&] {
    Report report = without_known(opened.of().report(), settings, request);
    return one_report::collect(opened.of(), std::move(report), settings.check, request.dims);
  });
  write(one, request);
  return fails(one.report, settings.fail_on) ? kExitFindings : kExitClean;
}

}  // namespace trtcheck::cli
