// Dynamic dims of inputs that become numbers.
#pragma once

#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/simplify.hpp>

#include "simplify/plan.hpp"

namespace trtcheck::simplifying {

/// Declares inputs, outputs and all else that the file says of shapes anew: a symbol is the same number everywhere.
/// @throws Error  there is no such input or symbol; the file says another number
[[nodiscard]] Plan with_sizes(const Model& model, const Shapes& shapes, const std::vector<StaticSize>& sizes);

}  // namespace trtcheck::simplifying
