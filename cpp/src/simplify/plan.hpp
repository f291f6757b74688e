// The edits of one pass over a model.
#pragma once

#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/model.hpp>

#include "simplify/decisions.hpp"
#include "simplify/known.hpp"

namespace trtcheck::simplifying {

struct Plan {
  std::vector<edit::Edit> edits;
  std::vector<Step> steps;
};

/// Everything that can be said at once. @pre graphs are sorted, names are unique in them
/// @param shortens  as for Decisions
[[nodiscard]] Plan planned(Known& known, bool shortens);

}  // namespace trtcheck::simplifying
