// A check that has something to report that no rule found.
#pragma once

#include <vector>

#include <trtcheck/trtcheck.hpp>

namespace trtcheck {

/// `check` with more findings, which are selected, suppressed, changed in severity and completed like the others.
/// @param others  each has its rule, severity, certainty, message and, unless it is about the whole model, its node
/// @throws Error  an option makes no sense
[[nodiscard]] Report check_with(const Model& model, const CheckOptions& options, std::vector<Finding> others);

}  // namespace trtcheck
