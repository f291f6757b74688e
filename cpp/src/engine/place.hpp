// Completes a finding with its place: label, graph, input types, the user's source lines.
#pragma once

#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "provenance/provenance.hpp"

namespace trtcheck::engine {

/// Fills in what a rule need not say, for the reasons and the remedy too; nothing that the rule set is changed.
void add_place(Finding& finding, const Model& model, const Shapes& shapes, rules::Provenances& provenances);

/// Equal for one node in all calls of its function; "" outside of functions.
[[nodiscard]] std::string place_in_function(const Model& model, NodeId node);

}  // namespace trtcheck::engine
