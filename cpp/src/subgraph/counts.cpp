#include "subgraph/counts.hpp"

#include "model/external_files.hpp"
#include "model/graphs.hpp"

namespace trtcheck::subgraph {

void add_weight(const Tensor& tensor, PartCounts& counts) {
  ++counts.weights;
  counts.weight_bytes += bytes_of_elements(tensor).value_or(0);
}

void add_weights(const Model& model, const Graph& graph, PartCounts& counts) {
  for (const TensorId id : graph.initializers) add_weight(model.tensor(id), counts);
}

PartCounts counts_of(const Model& model) {
  PartCounts counts{.functions = model.functions().size()};
  for (std::uint32_t g = 0; g < model.graph_count(); ++g) {
    if (!is_of_main_graph(model, GraphId{g})) continue;
    const Graph& graph = model.graph(GraphId{g});
    counts.nodes += graph.node_count;
    add_weights(model, graph, counts);
  }
  return counts;
}

}  // namespace trtcheck::subgraph
