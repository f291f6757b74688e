// The driver: open, read, infer, run, in that order.
#include <algorithm>
#include <list>
#include <mutex>
#include <unordered_set>

#include <fmt/format.h>

#include <trtcheck/trtcheck.hpp>

#include "check/check_with.hpp"
#include "check/fingerprint.hpp"
#include "check/severities.hpp"
#include "engine/order.hpp"
#include "engine/run.hpp"
#include "picture/neighbourhood.hpp"
#include "suppress/metadata_ignores.hpp"
#include "suppress/suppress.hpp"
#include "text/suggest.hpp"
#include "view/inference_options.hpp"

namespace trtcheck {
namespace {

std::vector<std::string_view> network_inputs(const Model& model) {
  std::vector<std::string_view> inputs;
  for (ValueId input : model.graph().inputs) {
    if (model.is_network_input(input)) inputs.push_back(model.value(input).name);
  }
  return inputs;
}

/// The target for this model. A profile for a tensor that is no input of the network is a mistake of the caller
/// (trtexec refuses it too), unless it comes from a file that serves several models.
Target fitting_target(const Model& model, const CheckOptions& options, std::vector<std::string>& unmatched) {
  Target target = options.target;
  if (target.profile.empty()) return target;
  const std::vector<std::string_view> inputs = network_inputs(model);
  const std::unordered_set<std::string_view> known(inputs.begin(), inputs.end());
  target.profile.clear();
  for (const ProfileInput& profile : options.target.profile) {
    if (known.contains(profile.name)) {
      target.profile.push_back(profile);
      continue;
    }
    if (options.skip_unknown_inputs) {
      unmatched.push_back(fmt::format("profile `{}`", profile.name));
      continue;
    }
    std::string hint = did_you_mean(profile.name, inputs);
    if (hint.empty() && !inputs.empty()) hint = fmt::format(" (there is `{}`)", fmt::join(inputs, "`, `"));
    throw Error("profile", fmt::format("the model has no input `{}`{}", profile.name, hint));
  }
  return target;
}

}  // namespace

struct Analysis::Impl {
  struct Inferred {
    std::vector<ProfileInput> profile;
    Shapes shapes;
    engine::WeakShapes weak{};
  };
  explicit Impl(const Model& m) noexcept : model(&m) {}
  Inferred& inferred_for(const Target& target) {
    const auto known = std::ranges::find(inferred, target.profile, &Inferred::profile);
    if (known != inferred.end()) return *known;
    return inferred.emplace_back(Inferred{target.profile, infer(*model, inference_options(*model, target))});
  }

  const Model* model;
  std::list<Inferred> inferred;
  std::mutex mutex;  ///< of a whole check: questions to shapes may change their table
};

Analysis::Analysis(const Model& model) : impl_(std::make_unique<Impl>(model)) {}
Analysis::Analysis(Analysis&&) noexcept = default;
Analysis& Analysis::operator=(Analysis&&) noexcept = default;
Analysis::~Analysis() = default;

const Model& Analysis::model() const noexcept { return *impl_->model; }

const Shapes& Analysis::shapes(const Target& target) const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->inferred_for(target).shapes;
}

namespace {

/// What all checks of one model with the same options share, but for the release.
class Checks {
 public:
  Checks(const Model& model, const CheckOptions& options)
      : model_(&model),
        options_(&options),
        selection_(options.select, options.ignore),
        severities_(options.severities),
        metadata_ignores_(model),
        fingerprints_(model),
        target_(fitting_target(model, options, unmatched_)) {
    if (options.ranges) check_belongs(*options.ranges, model);
  }

  [[nodiscard]] const Target& target() const noexcept { return target_; }
  [[nodiscard]] NumberSources numbers() const noexcept {
    return {.ranges = options_->ranges.get(), .read_weights = options_->read_weights};
  }

  /// @param others  found by nobody here, told for each release
  std::vector<Report> reports(std::span<const TrtVersion> releases, const Shapes& shapes, engine::WeakShapes* weak,
                              const std::vector<Finding>& others = {}) {
    std::vector<Ignores> ignores(releases.size(), {metadata_ignores_, NodeIgnores(options_->node_ignores)});
    std::vector<engine::Listing> listings;
    for (Ignores& own : ignores) listings.push_back(listing(own));
    std::vector<engine::RunResult> results = engine::run_rules({.model = *model_,
                                                                .shapes = shapes,
                                                                .target = target_,
                                                                .selection = selection_,
                                                                .releases = releases,
                                                                .listings = listings,
                                                                .weak = weak,
                                                                .numbers = numbers()});
    std::vector<Report> reports;
    reports.reserve(releases.size());
    for (std::size_t i = 0; i < releases.size(); ++i) {
      reports.push_back(report(releases[i], shapes, std::move(results[i]), ignores[i], others));
    }
    return reports;
  }

 private:
  /// They note what they were used for, of one report.
  struct Ignores {
    MetadataIgnores metadata;
    NodeIgnores nodes;
  };

  [[nodiscard]] engine::Listing listing(Ignores& ignores) const {
    engine::Listing made{.most = options_->most_of_a_rule, .is_suppressed = {}};
    if (ignores.metadata.empty() && ignores.nodes.empty()) return made;
    made.is_suppressed = [this, &ignores](const Finding& finding) {
      const bool by_metadata = !ignores.metadata.empty() && ignores.metadata.why(finding);
      const bool by_node =
          !ignores.nodes.empty() && finding.node_id && ignores.nodes.why(model_->node_label(finding.node_id), finding);
      return by_metadata || by_node;
    };
    return made;
  }

  Report report(TrtVersion release, const Shapes& shapes, engine::RunResult result, Ignores& ignores,
                const std::vector<Finding>& others) {
    Report report;
    report.path = model_->path();
    report.target = target_;
    report.target.release = release;
    report.unmatched = unmatched_;
    report.findings = std::move(result.findings);
    report.suppressed = result.suppressed;
    if (!others.empty()) add_findings(report, others, *model_, shapes, selection_);
    severities_.apply(report.findings);
    report.unlisted = severities_.of(std::move(result.unlisted));
    report.node_count = model_->node_count();
    suppress_by_metadata(report, ignores.metadata, *model_, shapes, selection_);
    severities_.apply(report.findings);  // of findings about suppressions, too
    ignores.nodes.suppress(report);
    fingerprints_.add_to(report.findings);
    for (Suppressed& suppressed : report.suppressions) fingerprints_.add_to(suppressed.finding);
    engine::sort_findings(report.findings);
    engine::fold_consequences(report.findings);
    if (options_->neighbourhoods) add_neighbourhoods(report.findings, *model_, shapes);
    return report;
  }

  const Model* model_;
  const CheckOptions* options_;
  engine::Selection selection_;
  Severities severities_;
  MetadataIgnores metadata_ignores_;
  Fingerprints fingerprints_;
  std::vector<std::string> unmatched_;
  Target target_;
};

}  // namespace

Report check(const Analysis& analysis, const CheckOptions& options) {
  return std::move(check(analysis, options, {&options.target.release, 1}).front());
}

Report check_with(const Model& model, const CheckOptions& options, std::vector<Finding> others) {
  Checks checks(model, options);
  const Shapes shapes = infer(model, inference_options(model, checks.target()));
  return std::move(checks.reports({&options.target.release, 1}, shapes, nullptr, others).front());
}

std::vector<Report> check(const Analysis& analysis, const CheckOptions& options, std::span<const TrtVersion> releases) {
  const std::lock_guard lock(analysis.impl_->mutex);
  Checks checks(analysis.model(), options);
  auto& inferred = analysis.impl_->inferred_for(checks.target());
  return checks.reports(releases, inferred.shapes, &inferred.weak);
}

Report check(const Model& model, const CheckOptions& options) { return check(Analysis(model), options); }

Report check(const std::string& path, const CheckOptions& options) {
  return check(read_model(path, options.limits), options);
}

Report check(std::span<const std::byte> bytes, const CheckOptions& options, const std::string& base_dir) {
  return check(read_model(bytes, base_dir, options.limits), options);
}

}  // namespace trtcheck
