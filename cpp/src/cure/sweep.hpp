// What nobody needs any more once a model was repaired.
#pragma once

#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/model.hpp>

namespace trtcheck::cure {

/// Edits of `after` that take away nodes and initializers whose values somebody read in `before`, and nobody reads now;
/// what was unused before stays.
[[nodiscard]] std::vector<edit::Edit> newly_unused(const Model& before, const Model& after);

}  // namespace trtcheck::cure
