#include <optional>
#include <string>
#include <vector>

#include "cli/check_options.hpp"
#include "cli/commands.hpp"
#include "cli/report_outputs.hpp"

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

std::optional<Severity> least_severity(FailOn fail_on) {
  if (fail_on == FailOn::never) return std::nullopt;
  return fail_on == FailOn::info ? Severity::info : fail_on == FailOn::warning ? Severity::warning : Severity::error;
}

/// An option that does not fit this model is said with the model's name, too.
std::string about(const std::string& path, const Error& error) {
  return error.path() == path ? error.what() : path + ": " + error.what();
}

}  // namespace

int run(const CheckRequest& request) {
  std::vector<Report> reports;
  std::vector<Failure> failures;
  reports.reserve(request.paths.size());
  int code = kExitClean;
  for (const std::string& path : request.paths) {
    try {
      reports.push_back(check(path, request.options));
    } catch (const Error& error) {
      complain(about(path, error));
      failures.push_back({path, error.path() == path ? error.cause() : error.what()});
      code = kExitFailed;
      continue;
    }
    if (code == kExitClean && fails(reports.back(), request.fail_on)) code = kExitFindings;
  }
  write_results({reports, failures, least_severity(request.fail_on), request.paths}, request.outputs);
  return code;
}

}  // namespace trtcheck::cli
