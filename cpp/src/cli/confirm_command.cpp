// `trtcheck confirm`: predict, ask NVIDIA's own parser and builder, show both.
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

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
    witness_ = witness_unless_interrupted(std::move(search));
  }

  /// @throws Interrupted  before the witness had answered
  [[nodiscard]] Confirmation confirm(const std::string& path) const {
    if (!witness_) throw Interrupted{};
    ConfirmOptions options;
    const Settings settings = settings_of(resolver_, path);
    options.check = settings.check;
    const std::optional<TrtVersion> judged = names_target(settings) ? std::nullopt : release_of(*witness_);
    if (judged) options.check.target.release = *judged;
    options.check.neighbourhoods = request_.output.format == Format::json;
    options.parse_only = request_.parse_only;
    options.propose_profile = request_.propose_profile;
    options.timeout = request_.timeout;
    options.memory = request_.memory;
    return confirm_source(path, *witness_, std::move(options));
  }

 private:
  ConfirmRequest request_;
  SettingsResolver resolver_;
  std::optional<Witness> witness_;  ///< nothing: it was not found yet, or the run was interrupted before
};

// The witness of an interrupted run is stopped, and what it has started; that takes a tenth of a second.
constexpr std::chrono::milliseconds kPatience{2000};

}  // namespace

int run(const ConfirmRequest& request) {
  const auto confirmer = std::make_shared<Confirmer>(request);
  const FoundModels found = confirmer->find();
  const GracefulInterrupts interrupts;
  if (!found.models.empty()) confirmer->find_witness();
  Progress progress(!request.quiet, found.models.size());
  const auto confirm = [confirmer](const std::string& path) { return confirmer->confirm(path); };
  const Done<Confirmation> done = make_all<Confirmation>(found, {.patience = kPatience}, confirm, interrupts, progress);
  return write_all<ConfirmRequest, Confirmation>(request, found, done, false, &Confirmation::is_refused);
}

}  // namespace trtcheck::cli
