// `trtcheck matrix`: which releases take a model, and what changes between two of them.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include <trtcheck/diff.hpp>
#include <trtcheck/discover.hpp>

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

class Tabulator {
 public:
  explicit Tabulator(const MatrixRequest& request)
      : request_(request),
        resolver_(request.config, request.overrides),
        found_(found_models(resolver_, request.paths, request.force_exclude)) {
    complain_about(found_, request.quiet);
    for (const Error& error : found_.errors) failures_.push_back(failure_of(error.path(), error));
  }

  /// @returns the exit code
  int run() {
    refuse_unwritable(request_.output, found_.models);
    return request_.upgrade ? compare() : tabulate();
  }

 private:
  int tabulate() {
    std::vector<Matrix> matrices;
    Progress progress(!request_.quiet, found_.models.size());
    for (const std::string& path : found_.models) {
      if (interrupts_.signal() != 0) break;
      progress.show(matrices.size() + failures_.size());
      try {
        const CheckOptions options = settings_of(resolver_, path).check;
        read_source(path, options.limits, [&](const Model& model) {
          matrices.push_back(matrix(Analysis(model), options, request_.releases));
        });
      } catch (const Error& error) {
        progress.erase();
        complain(line_about(path, error));
        failures_.push_back(failure_of(path, error));
      }
    }
    progress.erase();
    RenderOptions how = render_options();
    how.failures = failures_;
    // What failed is said on standard error.
    const bool is_silent = matrices.empty() && report::row_of(how.format).is_text;
    if (!is_silent) write_output(request_.output, render(matrices, how), found_.models);
    if (interrupts_.signal() != 0) return exit_code_of(interrupts_.signal());
    if (!failures_.empty()) return kExitFailed;
    const auto is_failing = [&](const Matrix& one) { return fails(one, request_.fail_on); };
    return std::ranges::any_of(matrices, is_failing) ? kExitFindings : kExitClean;
  }

  int compare() {
    if (!failures_.empty()) return kExitFailed;
    if (found_.models.size() != 1) {
      refuse(fmt::format("--from and --to are for one model, there are {}", found_.models.size()));
    }
    const std::string& path = found_.models.front();
    CheckOptions options = settings_of(resolver_, path).check;
    options.neighbourhoods = true;  // JSON shows them
    const std::vector<TrtVersion> releases{request_.upgrade->first, request_.upgrade->second};
    int code = kExitClean;
    try {
      read_source(path, options.limits, [&](const Model& model) {
        const std::vector<Report> reports = check(Analysis(model), options, releases);
        const Diff changes = diff(model, reports[0], model, reports[1]);
        write_output(request_.output, render(changes, render_options()), found_.models);
        if (changes.has_new(Severity::error)) code = kExitFindings;
      });
    } catch (const Error& error) {
      refuse(line_about(path, error));
    }
    return code;
  }

  [[nodiscard]] RenderOptions render_options() const {
    return {
        .format = request_.output.format, .color = use_color(request_.output), .width = text_width(request_.output)};
  }

  const MatrixRequest& request_;
  SettingsResolver resolver_;
  FoundModels found_;
  GracefulInterrupts interrupts_;
  std::vector<Failure> failures_;
};

}  // namespace

int run(const MatrixRequest& request) { return Tabulator(request).run(); }

}  // namespace trtcheck::cli
