// `trtcheck check`: discover, resolve settings, check, render, exit code.
#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <trtcheck/discover.hpp>

#include "cli/baselines.hpp"
#include "cli/check_all.hpp"
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

/// What workers share. They own it, because a stuck one outlives the command.
class Checker {
 public:
  explicit Checker(const CheckRequest& request)
      : resolver_(request.config, request.overrides),
        baselines_(request.baseline_mode),
        marks_(request.confirm),
        lists_all_(request.all_findings),
        draws_(std::ranges::any_of(request.outputs,
                                   [](const OutputRequest& o) { return report::row_of(o.format).has_pictures; })) {}

  [[nodiscard]] FoundModels find(const CheckRequest& request) const {
    return found_models(resolver_, request.paths, request.force_exclude);
  }
  Checked check(const std::string& path) {
    Settings settings = settings_of(resolver_, path);
    load_ranges(settings);
    settings.check.neighbourhoods = draws_;
    if (lists_all_) settings.check.most_of_a_rule = 0;
    baselines_.open(settings);
    Report report = check_source(path, settings.check);
    baselines_.apply(report, settings);
    const bool missed = marks_.put(report, path, settings.check);
    const bool failing = missed || fails(report, settings.fail_on);
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

/// Each line once: a broken configuration file is one mistake, however many models it serves. Models that were missed
/// are counted in one line and named in the documents.
int complain_about(std::span<const Outcome> outcomes, std::span<const std::string> paths) {
  std::set<std::string> said;
  int code = kExitClean;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const Outcome& outcome = outcomes[i];
    if (outcome.error && !outcome.missed) {
      std::string line = line_about(paths[i], *outcome.error);
      if (said.insert(line).second) complain(line);
      code = kExitFailed;
    }
    if (outcome.checked && outcome.checked->fails && code == kExitClean) code = kExitFindings;
  }
  return code;
}

/// What the documents are made of.
struct Material {
  std::vector<Report> reports;
  std::vector<Failure> failures;
  std::vector<std::optional<Severity>> fails_from;
};

Material material_of(const FoundModels& found, std::vector<Outcome> outcomes) {
  Material made;
  for (const Error& error : found.errors) made.failures.push_back(failure_of(error.path(), error));
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    Outcome& outcome = outcomes[i];
    if (outcome.checked) {
      made.reports.push_back(std::move(outcome.checked->report));
      made.fails_from.push_back(outcome.checked->fails_from);
    }
    if (outcome.error) made.failures.push_back(failure_of(found.models[i], *outcome.error));
  }
  return made;
}

void write(const CheckRequest& request, const FoundModels& found, std::vector<Outcome> outcomes) {
  const Material material = material_of(found, std::move(outcomes));
  const Results results{.reports = material.reports,
                        .failures = material.failures,
                        .fails_from = material.fails_from,
                        .inputs = found.models,
                        .summary = !request.quiet,
                        .show_all = request.show_all,
                        .statistics = request.statistics};
  write_results(results, request.outputs);
}

void complain_of_interrupt(std::span<const Outcome> outcomes) {
  const auto missed = std::ranges::count_if(outcomes, [](const Outcome& outcome) { return outcome.missed; });
  const std::size_t looked_at = outcomes.size() - static_cast<std::size_t>(missed);
  complain(fmt::format("interrupted: {} of {} models were looked at", looked_at, outcomes.size()));
}

}  // namespace

int run(const CheckRequest& request) {
  const auto checker = std::make_shared<Checker>(request);
  const FoundModels found = checker->find(request);
  for (const OutputRequest& output : request.outputs) refuse_unwritable(output, found.models);
  complain_about(found, request.quiet);
  int code = found.errors.empty() ? kExitClean : kExitFailed;
  const GracefulInterrupts interrupts;
  Progress progress(!request.quiet, found.models.size());
  const auto check_one = [checker](const std::string& path) { return checker->check(path); };
  std::vector<Outcome> outcomes = check_all(found.models, request.jobs, check_one, interrupts, progress);
  code = std::max(code, complain_about(outcomes, found.models));
  if (interrupts.signal() != 0) {
    complain_of_interrupt(outcomes);
    code = exit_code_of(interrupts.signal());
  } else {
    for (const std::string& line : checker->unmatched()) warn(request, line);
    for (const std::string& line : checker->remarks()) warn(request, line);
  }
  write(request, found, std::move(outcomes));
  if (code == kExitClean || code == kExitFindings) checker->finish(found.models);
  return code;
}

}  // namespace trtcheck::cli
