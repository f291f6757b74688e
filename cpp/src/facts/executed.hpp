// The nodes that an engine runs.
#pragma once

#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {

/// Nodes of the main graph, of its branches, bodies and calls of functions, in the order in which they run; of an If
/// whose condition is known the branch that is taken alone.
[[nodiscard]] std::vector<NodeId> executed_nodes(const Model& model, const Shapes& shapes, const Target& target);

}  // namespace trtcheck
