#include "view/narrow_layers.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>

#include "model/graphs.hpp"
#include "model/walk.hpp"
#include "schema/kinds.hpp"
#include "shapes/loop_trips.hpp"
#include "view/bodies.hpp"
#include "view/reads.hpp"
#include "view/steps.hpp"

namespace trtcheck {
namespace {

/// Longer chains are no model that somebody wrote.
constexpr std::size_t kMostCrossed = 64;
/// Of one value. Beyond, nothing is said.
constexpr std::size_t kMostReaders = 1024;

bool is_crossed(const Node& node) {
  return !node.call() && node.inputs.size() == 1 && node.inputs[0] && is_a(node.op_type, kinds::crossed_by_reshape);
}

/// The operand of an operator that the reshape is moved behind where it reads the layer alone; none: it is not.
ValueId crossed_alone(const ModelView& view, const Node& node) {
  if (node.call() || !is_a(node.op_type, kinds::crossed_alone) || !node.output(0)) return {};
  const ValueShape& made = view.shape(node.output(0));
  if (!made.has_rank || made.rank() != 3) return {};
  ValueId operand;
  for (const ValueId input : node.inputs) {
    if (!input || view.shapes.folds_to_constant(input)) continue;
    if (operand) return {};
    operand = input;
  }
  return operand;
}

/// Of a value: the reshape is moved behind all that reads it.
using MayPass = std::function<bool(ValueId)>;

bool has_one_reader(const Model& model, ValueId id) {
  const Value& value = model.value(id);
  return !value.is_output && value.users.size() == 1;
}

/// The layer that makes the value, with operators in between behind which its reshape is moved; none: something else
/// does.
NodeId narrow_layer_behind(const ModelView& view, ValueId value, const MayPass& may_pass) {
  for (std::size_t steps = 0; steps < kMostCrossed; ++steps) {
    const NodeId maker = producer_of(view.model, value);
    if (!maker) return {};
    const Node& node = view.model.node(maker);
    if (is_narrow_layer(view, node)) return maker;
    if (!is_crossed(node) || !may_pass(node.input(0))) return {};
    value = node.input(0);
  }
  return {};
}

/// The same of a convolution alone, each value read once: it makes one kernel with more operators.
NodeId narrow_convolution_behind(const ModelView& view, ValueId value) {
  for (std::size_t steps = 0; value && steps < kMostCrossed; ++steps) {
    const NodeId maker = producer_of(view.model, value);
    if (!maker) return {};
    const Node& node = view.model.node(maker);
    if (is_narrow_layer(view, node)) return is_a(node.op_type, kinds::convolution) ? maker : NodeId{};
    const ValueId operand = is_crossed(node) ? node.input(0) : crossed_alone(view, node);
    value = operand && has_one_reader(view.model, operand) ? operand : ValueId{};
  }
  return {};
}

/// Of constants alone it is computed while the engine is built.
bool is_computed_from_data(const Model& model, const Node& layer) {
  constexpr std::size_t kMost = 256;
  return walk<kMost>(layer.output(0), [&](ValueId id, auto& onward) {
           const NodeId maker = producer_of(model, id);
           if (!maker) return !model.constant(id);
           if (has_graphs(model.node(maker))) return true;  // not looked into
           onward.add(model.node(maker).inputs);
           return false;
         }) != Walked::nowhere;
}

/// There may be another one like it, which the builder merges with it.
bool may_have_twin(const Model& model, const Node& node) {
  if (!node.input(0)) return false;
  const auto& readers = model.value(node.input(0)).users;
  return readers.size() > kMostReaders || std::ranges::any_of(readers, [&](const Use& use) {
           const Node& other = model.node(use.node);
           return &other != &node && other.op_type == node.op_type && std::ranges::equal(other.inputs, node.inputs);
         });
}

/// From the graph around to the one within there are branches only.
bool is_in_branch_of(const Model& model, GraphId within, GraphId around) {
  while (within != around) {
    const Graph& graph = model.graph(within);
    if (graph.kind != Graph::Kind::body || model.node(graph.parent).op_type != "If") return false;
    within = model.node(graph.parent).graph;
  }
  return true;
}

/// All that reads the value, in its own graph or in branches, computes with it element by element.
bool is_crossed_by_all(const Model& model, ValueId id) {
  const Value& value = model.value(id);
  if (value.is_output || value.users.size() > kMostReaders) return false;
  return std::ranges::all_of(value.users, [&](const Use& use) {
    const Node& reader = model.node(use.node);
    return reader.op_type == "Shape" || (is_crossed(reader) && is_in_branch_of(model, reader.graph, value.graph));
  });
}

/// What a graph returns, and nothing reads within.
bool is_returned_alone(const Model& model, const Graph& graph, ValueId id) {
  return id && model.value(id).users.empty() && std::ranges::count(graph.outputs, id) == 1;
}

/// The layer whose result, or what is made of it element by element, a node of the branch reads from around it.
NodeId narrow_layer_outside(const ModelView& view, const Node& reader, GraphId branch) {
  const Model& model = view.model;
  const bool is_of_one = is_crossed(reader);
  const ValueId read = is_of_one ? reader.input(0) : crossed_alone(view, reader);
  if (!read || model.value(read).graph == branch) return {};
  if (!is_of_one) {
    const bool is_last = is_returned_alone(model, model.graph(branch), reader.output(0));
    return is_last ? narrow_convolution_behind(view, reader.output(0)) : NodeId{};
  }
  const auto may_pass = [&](ValueId id) { return is_crossed_by_all(model, id); };
  return may_pass(read) ? narrow_layer_behind(view, read, may_pass) : NodeId{};
}

bool is_narrow_outside(const ModelView& view, const Node& reader, GraphId branch) {
  const NodeId layer = narrow_layer_outside(view, reader, branch);
  if (!layer) return false;
  const Node& node = view.model.node(layer);
  return !may_have_twin(view.model, node) && is_computed_from_data(view.model, node);
}

bool has_fixed_sizes(const ModelView& view, const ValueShape& shape) {
  return std::ranges::all_of(shape.dims, [&](Dim dim) {
    const Interval range = view.dims().bounds(dim);
    return range.low == range.high;
  });
}

/// How often a Loop iterates, where nothing ends it before.
std::optional<Dim> trips_of(const ModelView& view, const Node& node, const Graph& body) {
  const auto at = [&](ValueId id) -> const ValueShape& { return view.shape(id); };
  return shapes::loop_trips(view.model, node, body, view.dims(), at);
}

/// The reshape is moved behind the loop that makes the value, too: a graph returns it, or all that reads it computes
/// with it element by element. What hands it on is no layer.
bool leaves_loop(const ModelView& view, ValueId id, std::size_t steps = 0) {
  const Value& value = view.model.value(id);
  if (value.is_output) return true;
  const auto is_left = [&](const Use& use) {
    const Node& reader = view.model.node(use.node);
    if (!is_crossed(reader) || !is_in_branch_of(view.model, reader.graph, value.graph)) return false;
    if (!is_a(reader.op_type, kinds::dropped)) return true;
    return steps < kMostCrossed && reader.output(0) && leaves_loop(view, reader.output(0), steps + 1);
  };
  return !value.users.empty() && value.users.size() <= kMostReaders && std::ranges::all_of(value.users, is_left);
}

bool is_positive(Dim dim) { return dim.is_literal() && dim.value() > 0; }

/// How often it does is a number, and nothing ends it before.
bool iterates(const ModelView& view, const Node& node, const Steps& steps) {
  if (node.op_type == "Scan") {
    const bool has_scanned = steps.carried < node.inputs.size() && node.attribute("scan_input_axes") == nullptr;
    const ValueId scanned = has_scanned ? node.inputs[steps.carried] : ValueId{};
    return scanned && view.shape(scanned).has_rank && view.shape(scanned).rank() > 0 &&
           is_positive(view.shape(scanned).dims[0]);
  }
  const auto trips = trips_of(view, node, *steps.body);
  return trips && is_positive(*trips);
}

/// A Loop that iterates 0 times is no loop any more.
bool is_never_entered(const ModelView& view, const Node& node) {
  const Steps steps = steps_of(view.model, node);
  if (node.op_type != "Loop" || steps.body == nullptr) return false;
  const auto trips = trips_of(view, node, *steps.body);
  return trips && trips->is(0);
}

/// In the graph, or in branches within it.
bool holds_loop(const ModelView& view, const Graph& graph) {
  return std::ranges::any_of(graph.order, [&](NodeId id) {
    const Node& node = view.model.node(id);
    if (is_a(node.op_type, kinds::loop) || is_a(node.op_type, kinds::recurrent)) {
      return runs_in_engine(view, id) && !is_never_entered(view, node);
    }
    const auto within = graphs_of(node);
    return std::ranges::any_of(within, [&](GraphId inner) { return holds_loop(view, view.model.graph(inner)); });
  });
}

bool is_narrow_in_branch(const ModelView& view, const Graph& branch, ValueId returned) {
  const Model& model = view.model;
  if (!is_returned_alone(model, branch, returned)) return false;
  const auto may_pass = [&](ValueId id) { return has_one_reader(model, id); };
  NodeId layer = narrow_layer_behind(view, returned, may_pass);
  if (!layer) layer = narrow_convolution_behind(view, returned);
  if (!layer || model.node(layer).graph != model.value(returned).graph) return false;
  const Node& node = model.node(layer);
  const ValueShape& data = view.shape(node.input(0));
  return data.has_rank && has_fixed_sizes(view, data) && has_fixed_sizes(view, view.shape(node.output(0))) &&
         !is_behind_body(view, node.input(0)) && is_computed_from_data(model, node);
}

}  // namespace

bool is_narrow_layer(const ModelView& view, const Node& node) {
  if (node.call() || !is_a(node.op_type, kinds::narrow_layer) || !node.output(0)) return false;
  const ValueShape& shape = view.shape(node.output(0));
  return shape.has_rank && shape.rank() == 3;
}

bool reads_narrow_layer(const ModelView& view, NodeId id) {
  const Model& model = view.model;
  return std::ranges::any_of(graphs_of(model.node(id)), [&](GraphId branch) {
    return std::ranges::any_of(model.graph(branch).order, [&](NodeId reader) {
      const Node& node = model.node(reader);
      return is_narrow_outside(view, node, branch) && is_needed(model, reader, Reads::data);
    });
  });
}

bool returns_narrow_layer_beside_loop(const ModelView& view, NodeId id) {
  const Model& model = view.model;
  const Node& node = model.node(id);
  return std::ranges::any_of(graphs_of(node), [&](GraphId branch) {
    const Graph& graph = model.graph(branch);
    for (std::size_t i = 0; i < graph.outputs.size() && i < node.outputs.size(); ++i) {
      if (!node.outputs[i] || !is_narrow_in_branch(view, graph, graph.outputs[i])) continue;
      if (is_read(model, node.outputs[i], Reads::data) && holds_loop(view, graph)) return true;
    }
    return false;
  });
}

bool carries_narrow_layer(const ModelView& view, NodeId id) {
  const Model& model = view.model;
  const Node& node = model.node(id);
  const Steps steps = steps_of(model, node);
  if (steps.body == nullptr || !steps.fits || !is_of_main_graph(model, node.graph)) return false;
  const Graph& body = *steps.body;
  if (!iterates(view, node, steps)) return false;
  const bool is_inside = node.graph != kMainGraph;  // where sizes vary, such loops are built
  const auto may_pass = [&](ValueId one) { return has_one_reader(model, one); };
  for (std::size_t k = 0; k < steps.carried && k + steps.decides < body.outputs.size(); ++k) {
    const ValueId made = body.outputs[k + steps.decides];
    if (k >= node.outputs.size() || !node.outputs[k] || !is_returned_alone(model, body, made)) continue;
    const NodeId layer = narrow_layer_behind(view, made, may_pass);
    if (!layer || may_have_twin(model, model.node(layer)) || !is_computed_from_data(model, model.node(layer))) continue;
    if (is_inside && !has_fixed_sizes(view, view.shape(made))) continue;
    if (leaves_loop(view, node.outputs[k]) && is_read(model, node.outputs[k], Reads::data)) return true;
  }
  return false;
}

}  // namespace trtcheck
