#include "view/reads.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "model/walk.hpp"
#include "schema/kinds.hpp"
#include "view/steps.hpp"

namespace trtcheck {
namespace {

constexpr std::size_t kMostReads = 64;

ValueId at(std::span<const ValueId> values, std::size_t i) { return i < values.size() ? values[i] : ValueId{}; }

/// What reads output `i` of a graph: the node around it, and the next step. Everything, where the body does not fit.
void add_outside(const Model& model, const Graph& graph, std::size_t i, Onward<kMostReads>& onward) {
  const Node& owner = model.node(graph.parent);
  const Steps steps = steps_of(model, owner);
  if (!steps.fits) onward.add(graph.inputs);
  if (!steps.fits || i < steps.decides) return onward.add(owner.outputs);
  const std::size_t k = i - steps.decides;
  onward.add(at(owner.outputs, k));
  if (steps.body == &graph && k < steps.carried) onward.add(at(graph.inputs, k + steps.control));
}

/// What becomes of an input of a node.
void add_results(const Model& model, const Use& use, Onward<kMostReads>& onward) {
  const Node& reader = model.node(use.node);
  const Steps steps = steps_of(model, reader);
  if (steps.body != nullptr && !steps.fits) onward.add(steps.body->inputs);
  if (steps.body == nullptr || !steps.fits || use.input < steps.control) return onward.add(reader.outputs);
  onward.add(at(steps.body->inputs, use.input));
  const std::size_t k = use.input - steps.control;
  if (k < steps.carried) onward.add(at(reader.outputs, k));
}

}  // namespace

bool is_read(const Model& model, ValueId value, Reads reads) {
  const Walked end = walk<kMostReads>(value, [&](ValueId id, auto& onward) {
    const Value& found = model.value(id);
    if (found.is_output) {
      const Graph& graph = model.graph(found.graph);
      const bool is_handed_on = std::ranges::find(graph.outputs, id) == graph.outputs.end();
      if (!graph.parent || is_handed_on) return true;
      for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
        if (graph.outputs[i] == id) add_outside(model, graph, i, onward);
      }
    }
    for (const Use& use : found.users) {
      const Node& reader = model.node(use.node);
      const bool is_of_type = reader.op_type == "CastLike" && use.input == 1;
      const bool is_of_shape = is_a(reader.op_type, kinds::takes_sizes_only);
      if (is_of_type || (is_of_shape && reads == Reads::data)) continue;
      if (reader.outputs.empty() || reader.call()) return true;
      add_results(model, use, onward);
    }
    return false;
  });
  return end != Walked::nowhere;
}

bool is_needed(const Model& model, NodeId node, Reads reads) {
  const auto outputs = model.node(node).outputs;
  const auto is_one_read = [&](ValueId output) { return output && is_read(model, output, reads); };
  return outputs.empty() || std::ranges::any_of(outputs, is_one_read);
}

}  // namespace trtcheck
