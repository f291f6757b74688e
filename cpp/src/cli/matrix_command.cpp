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

#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/interrupts.hpp"
#include "cli/many_models.hpp"
#include "cli/matrix_options.hpp"
#include "cli/progress.hpp"

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
class Tabulator {
 public:
  explicit Tabulator(const MatrixRequest& request) : request_(request), resolver_(request.config, request.overrides) {}

  [[nodiscard]] FoundModels find() const { return models_of(request_, resolver_); }
  [[nodiscard]] CheckOptions options_for(const std::string& path) const { return settings_of(resolver_, path).check; }
  [[nodiscard]] Matrix tabulate(const std::string& path) const {
    const CheckOptions options = options_for(path);
    std::optional<Matrix> made;
    read_source(path, options.limits,
                [&](const Model& model) { made = matrix(Analysis(model), options, request_.releases); });
    return *std::move(made);
  }

 private:
  MatrixRequest request_;
  SettingsResolver resolver_;
};

int tabulate(const MatrixRequest& request, const std::shared_ptr<const Tabulator>& tabulator,
             const FoundModels& found) {
  const GracefulInterrupts interrupts;
  Progress progress(!request.quiet, found.models.size());
  const auto make = [tabulator](const std::string& path) { return tabulator->tabulate(path); };
  const Done<Matrix> done = make_all<Matrix>(found, {}, make, interrupts, progress);
  const bool is_said = is_said_already(request.output, done.made.empty());
  return write_all<MatrixRequest, Matrix>(request, found, done, is_said,
                                          [&](const Matrix& one) { return fails(one, request.fail_on); });
}

int compare(const MatrixRequest& request, const Tabulator& tabulator, const FoundModels& found) {
  if (!found.errors.empty()) return kExitFailed;
  if (found.models.size() != 1) {
    refuse(fmt::format("--from and --to are for one model, there are {}", found.models.size()));
  }
  const std::string& path = found.models.front();
  CheckOptions options = tabulator.options_for(path);
  options.neighbourhoods = true;  // JSON shows them
  const std::vector<TrtVersion> releases{request.upgrade->first, request.upgrade->second};
  int code = kExitClean;
  try {
    read_source(path, options.limits, [&](const Model& model) {
      const std::vector<Report> reports = check(Analysis(model), options, releases);
      const Diff changes = diff(model, reports[0], model, reports[1]);
      write_output(request.output, render(changes, render_options_of(request)), found.models);
      if (changes.has_new(Severity::error)) code = kExitFindings;
    });
  } catch (const Error& error) {
    refuse(line_about(path, error));
  }
  return code;
}

}  // namespace

int run(const MatrixRequest& request) {
  const auto tabulator = std::make_shared<const Tabulator>(request);
  const FoundModels found = tabulator->find();
  return request.upgrade ? compare(request, *tabulator, found) : tabulate(request, tabulator, found);
}

}  // namespace trtcheck::cli
