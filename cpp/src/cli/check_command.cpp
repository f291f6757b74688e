#include <string>
#include <vector>

#include "cli/check_options.hpp"
#include "cli/commands.hpp"

namespace trtcheck::cli {
namespace {

bool fails(const Report& report, FailOn fail_on) {
  switch (fail_on) {
    case FailOn::never:
      return false;
    case FailOn::info:
      if (report.count(Severity::info) > 0) return true;
      [[fallthrough]];
    case FailOn::warning:
      if (report.count(Severity::warning) > 0) return true;
      [[fallthrough]];
    case FailOn::error:
      break;
  }
  return report.count(Severity::error) > 0;
}

/// An option that does not fit this model is said with the model's name, too.
std::string about(const std::string& path, const Error& error) {
  return error.path() == path ? error.what() : path + ": " + error.what();
}

}  // namespace

int run(const CheckRequest& request) {
  std::vector<Report> reports;
  reports.reserve(request.paths.size());
  int code = kExitClean;
  for (const std::string& path : request.paths) {
    try {
      reports.push_back(check(path, request.options));
    } catch (const Error& error) {
      complain(about(path, error));
      code = kExitFailed;
      continue;
    }
    if (code == kExitClean && fails(reports.back(), request.fail_on)) code = kExitFindings;
  }
  // A document with no model in it would hide that nothing was checked; JSON readers want their document.
  if (!reports.empty() || request.output.format == Format::json) {
    const RenderOptions how{.format = request.output.format, .color = use_color(request.output), .width = text_width()};
    write_output(request.output, render(reports, how), request.paths);
  }
  return code;
}

}  // namespace trtcheck::cli
