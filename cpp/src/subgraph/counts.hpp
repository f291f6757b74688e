// How much there is in a model.
#pragma once

#include <trtcheck/extract.hpp>
#include <trtcheck/model.hpp>

namespace trtcheck::subgraph {

void add_weight(const Tensor& tensor, PartCounts& counts);
/// The initializers of one graph.
void add_weights(const Model& model, const Graph& graph, PartCounts& counts);

/// Of the main graph and the bodies in it, and all functions that are defined.
[[nodiscard]] PartCounts counts_of(const Model& model);

}  // namespace trtcheck::subgraph
