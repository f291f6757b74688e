// `trtcheck confirm`: predict, ask NVIDIA's own parser and builder, show both.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <trtcheck/confirm.hpp>
#include <trtcheck/discover.hpp>

#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/confirm_options.hpp"
#include "cli/interrupts.hpp"
#include "cli/many_models.hpp"
#include "cli/progress.hpp"
#include "cli/witness_source.hpp"

namespace trtcheck::cli {
namespace {

bool names_target(const Settings& settings) {
  return std::ranges::any_of(settings.origins, [](const SettingOrigin& origin) {
    return origin.key == "target" && origin.from != SettingOrigin::From::defaults;
  });
}

/// What a worker needs; it owns that, because a stuck one outlives the command.
class Confirmer {
 public:
  explicit Confirmer(const ConfirmRequest& request) : request_(request), resolver_(request.config, request.overrides) {}

  [[nodiscard]] FoundModels find() const { return models_of(request_, resolver_); }
  /// The time for a model is enough for the self-test, which builds a smaller one.
  void find_witness() {
    WitnessSearch search{.path = request_.witness, .program = {}, .folders = {}};
    if (request_.timeout > 0) search.timeout = std::min(search.timeout, request_.timeout);
    std::optional<FoundWitnesses> found = witnesses_unless_interrupted(std::move(search));
    if (!found) return;
    if (!request_.quiet) {
      for (const std::string& line : found->passed_over) fmt::print(stderr, "warning: passed over: {}\n", line);
    }
    witnesses_ = std::move(found->witnesses);
  }

  /// @throws Interrupted  before the witness had answered
  [[nodiscard]] std::vector<Confirmation> confirm(const std::string& path) const {
    if (witnesses_.empty()) throw Interrupted{};
    std::vector<Confirmation> made;
    for (const Witness& witness : witnesses_) made.push_back(confirm(path, witness));
    return made;
  }

 private:
  [[nodiscard]] Confirmation confirm(const std::string& path, const Witness& witness) const {
    ConfirmOptions options;
    const Settings settings = settings_of(resolver_, path);
    options.check = settings.check;
    const std::optional<TrtVersion> judged = names_target(settings) ? std::nullopt : release_of(witness);
    if (judged) options.check.target.release = *judged;
    options.check.neighbourhoods = request_.output.format == Format::json;
    options.parse_only = request_.parse_only;
    options.propose_profile = request_.propose_profile;
    options.timeout = request_.timeout;
    options.memory = request_.memory;
    return confirm_source(path, witness, std::move(options));
  }

  ConfirmRequest request_;
  SettingsResolver resolver_;
  std::vector<Witness> witnesses_;  ///< none: they were not found yet, or the run was interrupted before
};

// The witness of an interrupted run is stopped, and what it has started; that takes a tenth of a second.
constexpr std::chrono::milliseconds kPatience{2000};

Done<Confirmation> flat(Done<std::vector<Confirmation>> of_models) {
  Done<Confirmation> done{.made = {}, .failures = std::move(of_models.failures), .code = of_models.code};
  for (std::vector<Confirmation>& of_model : of_models.made) std::ranges::move(of_model, std::back_inserter(done.made));
  return done;
}

}  // namespace

int run(const ConfirmRequest& request) {
  const auto confirmer = std::make_shared<Confirmer>(request);
  const FoundModels found = confirmer->find();
  const GracefulInterrupts interrupts;
  if (!found.models.empty()) confirmer->find_witness();
  Progress progress(!request.quiet, found.models.size());
  const auto confirm = [confirmer](const std::string& path) { return confirmer->confirm(path); };
  using Answers = std::vector<Confirmation>;
  const Done<Confirmation> done =
      flat(make_all<Answers>(found, {.patience = kPatience}, confirm, interrupts, progress));
  return write_all<ConfirmRequest, Confirmation>(request, found, done, false, &Confirmation::is_refused);
}

}  // namespace trtcheck::cli
