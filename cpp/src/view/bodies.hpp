// What branches and bodies do to shapes, where TensorRT minds.
#pragma once

#include <trtcheck/model.hpp>

#include "view/node_view.hpp"

namespace trtcheck {

/// Whether the condition of the If is no stored constant: TensorRT looks at types and at nesting before it decides it,
/// even where constants or sizes decide it.
[[nodiscard]] bool has_computed_condition(const Model& model, const Node& node);

/// Two shapes with a size that varies and is the same, and another that is not proven to be the same.
[[nodiscard]] Truth vary_apart(DimTable& dims, const ValueShape& first, const ValueShape& second);

/// An If whose condition only running the engine decides.
[[nodiscard]] bool is_decided_at_run_time(const ModelView& view, const Node& node);

/// A Loop, a Scan, a recurrent layer or an If that is decided at run time has a part in what the value holds, not in
/// its sizes alone.
[[nodiscard]] bool is_behind_body(const ModelView& view, ValueId value);

/// Something needs what the node computes of inputs of the network; a loop of constants alone is computed at build
/// time.
[[nodiscard]] bool runs_in_engine(const ModelView& view, NodeId id);

/// The value is what an If with a condition of run time returns, whose branches differ in a size that is a number,
/// after operators of one operand. Of rank 4: they differ in two sizes.
[[nodiscard]] bool is_of_branches_apart(const ModelView& view, ValueId value);

/// A Resize of what an If with a condition of run time, a Loop, a Scan or a recurrent layer has a part in, from an axis
/// on behind which a size varies; not where these are the last two of four axes or more, unless its mode is cubic. A
/// size that only the file declares says nothing, nor does one that varies and becomes a number.
[[nodiscard]] bool resizes_behind_body(const ModelView& view, NodeId id);

/// The same of other data, in a main graph with an If that is decided at run time and that the Resize has no part of:
/// yes where it waits for no layer (its condition is a network input, its branches read nothing else, and compute
/// something of them), else unknown.
[[nodiscard]] Truth resizes_beside_if(const ModelView& view, NodeId id);

/// Somewhere in the main graph or in bodies within it, a branch of an If that is decided at run time holds a Loop or
/// Scan which runs in the engine, and whose body reads what a layer around it makes, or what the loop begins with; not
/// one in whose body the node is. Unknown where the body reads other data of the network.
[[nodiscard]] Truth has_loop_in_branch(const ModelView& view, NodeId id);

/// The node is in such a branch, next to a Loop, Scan or recurrent layer, and no body has a part in its first input.
[[nodiscard]] bool stands_beside_loop(const ModelView& view, NodeId id);

/// A Scan, or a Loop without a condition, gives a carried value other shapes and its own again, and nothing else.
[[nodiscard]] bool carries_moved_value(const ModelView& view, NodeId id);

/// A recurrent layer in a branch of an If that is decided at run time, of whose output for each step (the first)
/// nothing is used; of an RNN, which has that output all the same.
[[nodiscard]] bool leaves_sequence_unread(const ModelView& view, NodeId id);

}  // namespace trtcheck
