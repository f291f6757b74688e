// The edits that give nodes what a trial says they have to read.
#pragma once

#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/fix.hpp>
#include <trtcheck/model.hpp>

#include "fold/fold.hpp"
#include "sizing/trial.hpp"

namespace trtcheck::sizing {

struct WrittenTrial {
  std::vector<edit::Edit> edits;
  std::vector<AppliedCure> told;  ///< one for each change, in the order of the nodes
};

/// @throws Error  a node is in a function, or a size cannot be computed from what is there before it
[[nodiscard]] WrittenTrial written(const Model& model, const Trial& trial, Folder& folder,
                                   const std::vector<Freed>& freed);

}  // namespace trtcheck::sizing
