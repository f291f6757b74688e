// Order among findings: what comes first, what follows from what.
#pragma once

#include <vector>

#include <trtcheck/finding.hpp>

namespace trtcheck::engine {

/// Errors first, then graph path, position of the node in its graph, code, message. The whole model comes before
/// its nodes.
void sort_findings(std::vector<Finding>& findings);

/// Moves every finding whose `caused_by` node has a finding that is at least as severe into that finding's
/// consequences; a chain ends up flat in the first cause. Nothing severe is hidden behind something mild, and nothing
/// follows from what is said about a suppression.
/// @pre sorted
void fold_consequences(std::vector<Finding>& findings);

/// The opposite, of a report that is ready: every finding stands alone, sorted.
void unfold_consequences(std::vector<Finding>& findings);

}  // namespace trtcheck::engine
