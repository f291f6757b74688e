// Running graphs that belong to a node: shared by If, Loop, Scan, SequenceMap. Private to this floor.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "shapes/infer.hpp"

namespace trtcheck::shapes {

/// The graph attribute of that name, or none.
[[nodiscard]] GraphId body_of(OpContext& op, std::string_view attribute);

/// All outputs become unknown with this reason.
void give_up(OpContext& op, std::string_view reason);

/// What holds whichever of two shapes it is; sizes that differ become unknowns of the node at hand.
[[nodiscard]] ValueShape either(OpContext& op, const ValueShape& a, const ValueShape& b, std::string_view reason);

/// What was recorded so far; `forget_since` drops what came later, for a body that is run again.
struct Mark {
  std::size_t conflicts = 0;
  std::size_t obligations = 0;
  std::size_t mismatches = 0;
  std::size_t carried_changes = 0;
};
[[nodiscard]] Mark mark(const InferState& state);
void forget_since(InferState& state, Mark mark);

/// Runs a body whose first values are carried from one iteration to the next. `fill` sets the body's other
/// inputs. On return `carried` holds what is true of the carried values before, during and after all iterations.
struct Carried {
  ValueId input;     ///< of the body
  ValueId output;    ///< of the body
  ValueShape shape;  ///< before the first iteration
};
/// @param keeps  the runtime requires that a size does not change: what may be the same is, under that condition
void run_body(OpContext& op, GraphId body, std::vector<Carried>& carried, bool keeps = false);

}  // namespace trtcheck::shapes
