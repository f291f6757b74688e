// `trtcheck check`: discover, resolve settings, check, render, exit code.
#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <trtcheck/discover.hpp>

#include "cli/all_models.hpp"
#include "cli/baselines.hpp"
#include "cli/check_options.hpp"
#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/found_models.hpp"
#include "cli/output_place.hpp"
#include "cli/report_outputs.hpp"
#include "cli/witness_marks.hpp"
#include "report/format_rows.hpp"

namespace trtcheck::cli {
namespace {

std::optional<Severity> least_severity(FailOn fail_on) {
  if (fail_on == FailOn::never) return std::nullopt;
  return fail_on == FailOn::info ? Severity::info : fail_on == FailOn::warning ? Severity::warning : Severity::error;
}

struct Checked {
  Report report;
  bool fails = false;                                    ///< there are findings at or above the model's `fail-on`
  std::optional<Severity> fails_from = Severity::error;  ///< that severity; nothing = none
};

/// What workers share. They own it, because a stuck one outlives the command.
class Checker {
 public:
  explicit Checker(const CheckRequest& request)
      : resolver_(request.config, request.overrides),
        baselines_(request.baseline_mode),
        marks_(request.witness),
        lists_all_(request.all_findings),
        draws_(std::ranges::any_of(request.outputs,
                                   [](const OutputRequest& o) { return report::row_of(o.format).has_pictures; })) {}

  [[nodiscard]] FoundModels find(const CheckRequest& request) const {
    FoundModels found = found_models(resolver_, request.paths, request.force_exclude);
    baselines_.require(resolver_, found.models);
    return found;
  }
  void find_witness() { marks_.find(); }
  Checked check(const std::string& path) {
    Settings settings = settings_of(resolver_, path);
    load_ranges(settings);
    settings.check.neighbourhoods = draws_;
    if (lists_all_) settings.check.most_of_a_rule = 0;
    baselines_.open(settings);
    Report report = check_source(path, settings.check);
    marks_.put(report, path, settings.check);
    baselines_.apply(report, settings);
    const bool failing = fails(report, settings.fail_on);
    const std::lock_guard lock(mutex_);
    unmatched_.add(settings, report);
    return {std::move(report), failing, least_severity(settings.fail_on)};
  }
  /// To be called when every model was checked.
  void finish(std::span<const std::string> models) { baselines_.finish(models); }
  [[nodiscard]] std::vector<std::string> unmatched() {
    const std::lock_guard lock(mutex_);
    return unmatched_.lines();
  }
  /// What the witness says that stands at no finding.
  [[nodiscard]] std::vector<std::string> remarks() { return marks_.lines(); }

 private:
  SettingsResolver resolver_;
  Baselines baselines_;
  WitnessMarks marks_;
  bool lists_all_;    ///< however many
  bool draws_;        ///< somebody will see neighbourhoods
  std::mutex mutex_;  ///< of what follows
  UnmatchedSettings unmatched_;
};

void warn(const CheckRequest& request, const std::string& what) {
  if (!request.quiet) complain("warning: " + what);
}

void write(const CheckRequest& request, const FoundModels& found, Done<Checked> done) {
  std::vector<Report> reports;
  std::vector<std::optional<Severity>> fails_from;
  for (Checked& checked : done.made) {
    reports.push_back(std::move(checked.report));
    fails_from.push_back(checked.fails_from);
  }
  const Results results{.reports = reports,
                        .failures = done.failures,
                        .fails_from = fails_from,
                        .inputs = found.models,
                        .summary = !request.quiet,
                        .show_all = request.show_all,
                        .statistics = request.statistics};
  write_results(results, request.outputs);
}

}  // namespace

int run(const CheckRequest& request) {
  const auto checker = std::make_shared<Checker>(request);
  const FoundModels found = checker->find(request);
  for (const OutputRequest& output : request.outputs) refuse_unwritable(output, found.models);
  complain_about(found, request.quiet);
  const GracefulInterrupts interrupts;
  if (!found.models.empty()) checker->find_witness();
  Progress progress(!request.quiet, found.models.size());
  const auto check_one = [checker](const std::string& path) { return checker->check(path); };
  Done<Checked> done = make_all<Checked>(found, {.count = request.jobs}, check_one, interrupts, progress);
  int code = done.code;
  if (code == kExitClean && std::ranges::any_of(done.made, &Checked::fails)) code = kExitFindings;
  if (interrupts.signal() == 0) {
    for (const std::string& line : checker->unmatched()) warn(request, line);
    for (const std::string& line : checker->remarks()) warn(request, line);
  }
  write(request, found, std::move(done));
  if (code == kExitClean || code == kExitFindings) checker->finish(found.models);
  return code;
}

}  // namespace trtcheck::cli
