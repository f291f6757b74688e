// The nodes that an engine runs, and those that the parser looks at.
#pragma once

#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/refused_by.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {

struct ModelView;

/// Nodes of the main graph, of its branches, bodies and calls of functions, in the order in which they run; of an If
/// whose condition is known the branch that is taken alone.
[[nodiscard]] std::vector<NodeId> executed_nodes(const Model& model, const Shapes& shapes, const Target& target);

/// These, and the nodes of branches that are never taken and imported all the same (Shapes::imports_both_branches).
[[nodiscard]] std::vector<NodeId> imported_nodes(const Model& model, const Shapes& shapes, const Target& target);

/// The If around the node whose branch with the node in it is never taken; none: the node may run.
[[nodiscard]] NodeId skipped_by(const Model& model, const Shapes& shapes, NodeId node);

/// The node is in a branch that TensorRT removes before it compiles kernels: parser and network refuse what they do not
/// accept there, kernels nothing. A condition that floating point numbers decide is not known then.
[[nodiscard]] bool is_never_compiled(const ModelView& view, NodeId node);

/// Whether who refuses sees the node: TensorRT drops nodes, and branches, before it looks at all shapes and compiles.
[[nodiscard]] bool reaches(RefusedBy who, const ModelView& view, NodeId node);

}  // namespace trtcheck
