// What a cut is asked for, by the names of tensors, and what is refused of it.
#pragma once

#include <vector>

#include <trtcheck/extract.hpp>
#include <trtcheck/model.hpp>

#include "subgraph/reached.hpp"

namespace trtcheck::subgraph {

struct Request {
  std::vector<ValueId> inputs;   ///< each once, in the order of the options
  std::vector<ValueId> outputs;  ///< in the same way
  std::vector<bool> is_cut;      ///< per value: what makes it is no part
};

/// Outputs that were not named are those of the model. Inputs that were not named are cuts, and not in the list.
/// @throws Error  a name is unknown, or is an input and an output
[[nodiscard]] Request requested(const Model& model, const ExtractOptions& options);

/// What the outputs need.
/// @throws Error  that is an input of the model that is no cut, or what nothing makes
[[nodiscard]] Reached reached_by(const Model& model, const Request& request, bool lenient);

}  // namespace trtcheck::subgraph
