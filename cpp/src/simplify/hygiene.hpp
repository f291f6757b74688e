// What has to be in order before a model is simplified: repairs that `fix` makes, here without a finding that asks.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/fix.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "simplify/plan.hpp"

namespace trtcheck::simplifying {

/// Cures that are made wherever they can: branches of a known condition, training mode off, sorted graphs, names and
/// imports that are there once. What another one of them touches waits for the next pass.
/// @param fuses  layers take over what scales and shifts their results, whatever the classes are
/// @param left  what could be done, or has to be done by somebody, one line each
[[nodiscard]] Plan put_in_order(const Model& model, const Shapes& shapes, const std::vector<CureClass>& classes,
                                bool fuses, std::vector<std::string>& left);

/// Names of the cures that are made, sorted.
[[nodiscard]] std::vector<std::string_view> cures_of_order();

/// Why nothing can be said of the values of the model; "" = it can.
[[nodiscard]] std::string why_not(const Model& model);

}  // namespace trtcheck::simplifying
