// The runner: calls every rule, completes and orders what they found.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>

#include "rules/run_selection.hpp"

namespace trtcheck::rules {

struct RunResult {
  std::vector<Finding> findings;  ///< sorted, complete, consequences folded
  std::size_t suppressed = 0;     ///< findings of rules that were not selected
};

/// Runs `rules` (the list of all of them, unless a test brings its own). Never throws for what a rule does: a rule
/// that throws becomes a finding of `internal-error`.
RunResult run_rules(const Model& model, const Shapes& shapes, const Target& target, const Selection& selection,
                    std::span<const Rule* const> rules = all_rules());

}  // namespace trtcheck::rules
