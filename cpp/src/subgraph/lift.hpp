// A body of If, Loop or Scan, or the call of a function, as a model of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::subgraph {

/// What becomes of weights of the graphs around it.
enum class OuterWeights : std::uint8_t {
  kept,       ///< they are weights of the new model, too
  as_inputs,  ///< they are fed, as other values of these graphs are
};

struct Lifted {
  std::vector<edit::Edit> edits;  ///< after which the nodes of the body are the main graph
  std::vector<ValueId> inputs;    ///< in the old model: what the new one is fed
};

/// Names stay; what the body reads of the graphs around it is an input with the type and shape that is inferred.
/// Weights of the main graph that nobody needs any more are not removed.
/// @return nothing: there is no node in it; of a call, attributes are of a kind that is not written anew, or a name of
///         the function is that of another weight
[[nodiscard]] std::optional<Lifted> lifted(const Model& model, const Shapes& shapes, GraphId from,
                                           OuterWeights weights = OuterWeights::kept);

}  // namespace trtcheck::subgraph
