// The driver: open, read, infer, run, in that order.
#include <algorithm>

#include <fmt/format.h>

#include <trtcheck/trtcheck.hpp>

#include "check/neighbourhood.hpp"
#include "rules/run.hpp"
#include "rules/run_options.hpp"
#include "target/suggest.hpp"

namespace trtcheck {
namespace {

/// A profile for a tensor that is no input of the network is a mistake of the caller (trtexec refuses it too).
void check_profile_names(const Model& model, const Target& target) {
  std::vector<std::string_view> inputs;
  for (ValueId input : model.graph().inputs) {
    if (!model.value(input).initializer) inputs.push_back(model.value(input).name);
  }
  for (const ProfileInput& profile : target.profile) {
    if (std::ranges::find(inputs, profile.name) != inputs.end()) continue;
    std::string hint = did_you_mean(profile.name, inputs);
    if (hint.empty() && !inputs.empty()) hint = fmt::format(" (there is `{}`)", fmt::join(inputs, "`, `"));
    throw Error("profile", fmt::format("the model has no input `{}`{}", profile.name, hint));
  }
}

}  // namespace

std::string_view version() noexcept { return TRTCHECK_VERSION; }

Report check(const Model& model, const CheckOptions& options) {
  const rules::Selection selection(options.select, options.ignore);
  check_profile_names(model, options.target);
  const Shapes shapes = infer(model, rules::inference_options(model, options.target));
  rules::RunResult result = rules::run_rules(model, shapes, options.target, selection);

  Report report;
  report.path = model.path();
  report.target = options.target;
  report.findings = std::move(result.findings);
  report.node_count = model.node_count();
  report.suppressed = result.suppressed;
  if (options.neighbourhoods) add_neighbourhoods(report.findings, model, shapes);
  return report;
}

Report check(const std::string& path, const CheckOptions& options) {
  return check(read_model(path, options.limits), options);
}

Report check(std::span<const std::byte> bytes, const CheckOptions& options, const std::string& base_dir) {
  return check(read_model(bytes, base_dir, options.limits), options);
}

}  // namespace trtcheck
