// The runner: calls every rule for one release or many, completes and orders what they found.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>
#include <trtcheck/unlisted.hpp>

#include "engine/selection.hpp"
#include "view/measured.hpp"

namespace trtcheck::engine {

/// Which findings are kept one by one.
struct Listing {
  std::size_t most = 0;  ///< of one rule and severity, the first ones in execution order; 0 = all
  /// Findings that the user will not be shown have a list of their own, as long, and take nobody's place. May be empty.
  std::function<bool(const Finding&)> is_suppressed = {};
};

struct RunResult {
  std::vector<Finding> findings;   ///< sorted, complete; consequences stand beside their causes
  std::vector<Unlisted> unlisted;  ///< beyond `Listing::most`, by code, the most severe first
  std::size_t suppressed = 0;  ///< findings of rules that were not selected, and suppressed ones that are not listed
};

/// What TensorRT knows of a model, inferred when a rule asks. Whoever keeps it may hand it to other runs on the same
/// model with the same profile.
struct WeakShapes {
  std::optional<Shapes> built;   ///< RuleContext::trt_shapes
  std::optional<Shapes> parsed;  ///< RuleContext::parsed_shapes
};

/// What is run on what.
struct Run {
  const Model& model;
  const Shapes& shapes;
  const Target& target;  ///< its release does not count
  const Selection& selection;
  std::span<const TrtVersion> releases;
  std::span<const Listing> listings = {};            ///< of each release; empty: all findings
  std::span<const Rule* const> rules = all_rules();  ///< a test may bring its own
  WeakShapes* weak = nullptr;
  NumberSources numbers = {};
};

/// What the rules find for each of the releases, in their order. A rule runs once for all releases that are alike in
/// what its descriptor says it asks; many of them cost little more than one. Never throws for what a rule does: a rule
/// that throws becomes a finding of `internal-error`.
std::vector<RunResult> run_rules(const Run& run);

}  // namespace trtcheck::engine
