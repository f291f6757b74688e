// Completes a finding with its place: label, graph, input types, the user's source line.
#pragma once

#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::rules {

/// Fills in what a rule need not say; nothing that the rule set is changed.
void add_place(Finding& finding, const Model& model, const Shapes& shapes);

}  // namespace trtcheck::rules
