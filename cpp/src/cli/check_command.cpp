// `trtcheck check`: discover, resolve settings, check, render, exit code.
#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/baselines.hpp"
#include "cli/check_all.hpp"
#include "cli/check_options.hpp"
#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/output_place.hpp"
#include "cli/statistics.hpp"

namespace trtcheck::cli {
namespace {

/// What workers share. They own it, because a stuck one outlives the command.
class Checker {
 public:
  explicit Checker(const CheckRequest& request)
      : resolver_(request.config, request.overrides), baselines_(request.baseline_mode) {}

  [[nodiscard]] bool excludes(const std::string& path) const { return is_excluded(settings_of(resolver_, path), path); }
  Checked check(const std::string& path) {
    const Settings settings = settings_of(resolver_, path);
    baselines_.open(settings);
    Report report = check_source(path, settings.check);
    baselines_.apply(report, settings);
    const bool failing = fails(report, settings.fail_on);
    const std::lock_guard lock(mutex_);
    unmatched_.add(settings, report);
    return {std::move(report), failing};
  }
  /// To be called when every model was checked.
  void finish(std::span<const std::string> models) { baselines_.finish(models); }
  [[nodiscard]] std::vector<std::string> unmatched() {
    const std::lock_guard lock(mutex_);
    return unmatched_.lines();
  }

 private:
  SettingsResolver resolver_;
  Baselines baselines_;
  std::mutex mutex_;  ///< of what follows
  UnmatchedSettings unmatched_;
};

FoundModels find(const CheckRequest& request, const Checker& checker) {
  DiscoverOptions options = request.discover;
  options.excluded = [&checker](const std::string& path) { return checker.excludes(path); };
  return find_models(request.paths, options);
}

void warn(const CheckRequest& request, const std::string& what) {
  if (!request.quiet) complain("warning: " + what);
}

/// What can be said before any model is read.
int complain_about(const CheckRequest& request, const FoundModels& found) {
  for (const std::string& warning : found.warnings) warn(request, warning);
  for (const Error& error : found.errors) complain(error.what());
  return found.errors.empty() ? kExitClean : kExitFailed;
}

/// Each line once: a broken configuration file is one mistake, however many models it serves.
int complain_about(const Outcomes& outcomes, std::span<const std::string> paths) {
  std::set<std::string> said;
  int code = kExitClean;
  for (std::size_t i = 0; i < outcomes.models.size(); ++i) {
    const Outcome& outcome = outcomes.models[i];
    if (outcome.error) {
      std::string line = line_about(paths[i], *outcome.error);
      if (said.insert(line).second) complain(line);
      code = kExitFailed;
    }
    if (outcome.checked && outcome.checked->fails && code == kExitClean) code = kExitFindings;
  }
  return code;
}

std::vector<Report> take_reports(Outcomes& outcomes) {
  std::vector<Report> reports;
  for (Outcome& outcome : outcomes.models) {
    if (outcome.checked) reports.push_back(std::move(outcome.checked->report));
  }
  return reports;
}

void complain_of_interrupt(const Outcomes& outcomes) {
  const auto looked_at = std::count_if(outcomes.models.begin(), outcomes.models.end(),
                                       [](const Outcome& outcome) { return outcome.checked || outcome.error; });
  complain(fmt::format("interrupted: {} of {} models were looked at", looked_at, outcomes.models.size()));
}

void write(const CheckRequest& request, std::span<const Report> reports, std::span<const std::string> inputs) {
  // A document with no model in it would hide that nothing was checked; JSON readers want their document.
  if (reports.empty() && request.output.format != Format::json) return;
  const RenderOptions how{.format = request.output.format,
                          .color = use_color(request.output),
                          .width = text_width(),
                          .summary = !request.quiet};
  write_output(request.output, request.statistics ? statistics(reports, how) : render(reports, how), inputs);
}

}  // namespace

int run(const CheckRequest& request) {
  const auto checker = std::make_shared<Checker>(request);
  const FoundModels found = find(request, *checker);
  refuse_unwritable(request.output, found.models);
  int code = complain_about(request, found);
  if (found.models.empty() && code != kExitClean) return code;

  const GracefulInterrupts interrupts;
  Progress progress(!request.quiet, found.models.size());
  const auto check_one = [checker](const std::string& path) { return checker->check(path); };
  Outcomes outcomes = check_all(found.models, request.jobs, check_one, interrupts, progress);
  code = std::max(code, complain_about(outcomes, found.models));
  if (interrupts.signal() != 0) {
    complain_of_interrupt(outcomes);
    code = exit_code_of(interrupts.signal());
  } else if (outcomes.stopped) {
    code = kExitFailed;
  } else {
    for (const std::string& line : checker->unmatched()) warn(request, line);
  }
  write(request, take_reports(outcomes), found.models);
  if (code == kExitClean || code == kExitFindings) checker->finish(found.models);
  return code;
}

}  // namespace trtcheck::cli
