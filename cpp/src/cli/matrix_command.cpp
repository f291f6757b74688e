// `trtcheck matrix`: which releases take a model, and what changes between two of them.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <trtcheck/diff.hpp>
#include <trtcheck/discover.hpp>

#include "cli/all_models.hpp"
#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/found_models.hpp"
#include "cli/interrupts.hpp"
#include "cli/matrix_options.hpp"
#include "cli/output_place.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"

namespace trtcheck::cli {
namespace {

bool is_refused(const Report& report) { return report.verdict() == Verdict::refused; }

bool fails(const Matrix& matrix, MatrixRequest::FailOn fail_on) {
  switch (fail_on) {
    case MatrixRequest::FailOn::any:
      return std::ranges::any_of(matrix.reports, is_refused);
    case MatrixRequest::FailOn::newest:  // of each product that was asked
      return std::ranges::any_of(matrix.reports, [&](const Report& report) {
        const TrtVersion release = report.target.release;
        return is_refused(report) && std::ranges::none_of(matrix.reports, [&](const Report& other) {
                 const TrtVersion newer = other.target.release;
                 return newer.product == release.product && newer > release;
               });
      });
    case MatrixRequest::FailOn::every:
      return std::ranges::all_of(matrix.reports, is_refused);
    case MatrixRequest::FailOn::never:
      break;
  }
  return false;
}

/// What a worker needs; it owns that, because a stuck one outlives the command.
struct Asked {
  explicit Asked(const MatrixRequest& request)
      : resolver(request.config, request.overrides), releases(request.releases) {}

  SettingsResolver resolver;
  std::vector<TrtVersion> releases;

  [[nodiscard]] Matrix matrix_of(const std::string& path) const {
    const CheckOptions options = settings_of(resolver, path).check;
    std::optional<Matrix> made;
    read_source(path, options.limits, [&](const Model& model) { made = matrix(Analysis(model), options, releases); });
    return *std::move(made);
  }
};

RenderOptions render_options(const MatrixRequest& request) {
  return {.format = request.output.format, .color = use_color(request.output), .width = text_width(request.output)};
}

int tabulate(const MatrixRequest& request, const std::shared_ptr<const Asked>& asked, const FoundModels& found) {
  const GracefulInterrupts interrupts;
  Progress progress(!request.quiet, found.models.size());
  const auto make = [asked](const std::string& path) { return asked->matrix_of(path); };
  const Done<Matrix> done = make_all<Matrix>(found, {}, make, interrupts, progress);
  RenderOptions how = render_options(request);
  how.failures = done.failures;
  if (!is_said_already(request.output, done.made.empty())) {
    write_output(request.output, render(done.made, how), found.models);
  }
  if (done.code != kExitClean) return done.code;
  const auto is_failing = [&](const Matrix& one) { return fails(one, request.fail_on); };
  return std::ranges::any_of(done.made, is_failing) ? kExitFindings : kExitClean;
}

int compare(const MatrixRequest& request, const Asked& asked, const FoundModels& found) {
  if (!found.errors.empty()) return kExitFailed;
  if (found.models.size() != 1) {
    refuse(fmt::format("--from and --to are for one model, there are {}", found.models.size()));
  }
  const std::string& path = found.models.front();
  CheckOptions options = settings_of(asked.resolver, path).check;
  options.neighbourhoods = true;  // JSON shows them
  const std::vector<TrtVersion> releases{request.upgrade->first, request.upgrade->second};
  int code = kExitClean;
  try {
    read_source(path, options.limits, [&](const Model& model) {
      const std::vector<Report> reports = check(Analysis(model), options, releases);
      const Diff changes = diff(model, reports[0], model, reports[1]);
      write_output(request.output, render(changes, render_options(request)), found.models);
      if (changes.has_new(Severity::error)) code = kExitFindings;
    });
  } catch (const Error& error) {
    refuse(line_about(path, error));
  }
  return code;
}

}  // namespace

int run(const MatrixRequest& request) {
  const auto asked = std::make_shared<const Asked>(request);
  const FoundModels found = found_models(asked->resolver, request.paths, request.force_exclude);
  complain_about(found, request.quiet);
  refuse_unwritable(request.output, found.models);
  return request.upgrade ? compare(request, *asked, found) : tabulate(request, asked, found);
}

}  // namespace trtcheck::cli
