// What branches and bodies do to shapes, where TensorRT minds.
#pragma once

#include <trtcheck/model.hpp>

#include "view/node_view.hpp"

namespace trtcheck {

/// Two shapes with a size that varies and is the same, and another that is not proven to be the same.
[[nodiscard]] Truth vary_apart(DimTable& dims, const ValueShape& first, const ValueShape& second);

/// All of a branch is computed element by element, and some of what a layer of rank 3 outside of it makes.
[[nodiscard]] bool changes_narrow_layer(const ModelView& view, const Graph& branch);

/// The value is what an If with a condition of run time returns, whose branches differ in a size that is a number,
/// after operators of one operand. Of rank 4: they differ in two sizes.
[[nodiscard]] bool is_of_branches_apart(const ModelView& view, ValueId value);

/// A Scan, or a Loop without a condition, gives a carried value other shapes and its own again, and nothing else.
[[nodiscard]] bool carries_moved_value(const ModelView& view, NodeId id);

}  // namespace trtcheck
