#include "view/bodies.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "model/graphs.hpp"
#include "model/walk.hpp"
#include "schema/kinds.hpp"
#include "view/build_time.hpp"
#include "view/reads.hpp"
#include "view/run_time_sizes.hpp"
#include "view/steps.hpp"

namespace trtcheck {
namespace {

/// Longer chains before one node are no model that somebody wrote.
constexpr std::size_t kMostInChain = 64;

ValueId output_of(const Model& model, const Node& node, std::string_view branch, std::size_t output) {
  const Attribute* const given = node.attribute(branch);
  if (given == nullptr || given->type != AttributeType::graph) return {};
  const auto outputs = model.graph(given->g()).outputs;
  return output < outputs.size() ? outputs[output] : ValueId{};
}

/// In how many sizes two shapes of one rank differ for sure.
std::size_t differing_sizes(const ModelView& view, ValueId a, ValueId b) {
  if (!a || !b) return 0;
  const ValueShape& first = view.shape(a);
  const ValueShape& second = view.shape(b);
  if (!first.has_rank || !second.has_rank || first.rank() != second.rank()) return 0;
  std::size_t count = 0;
  for (std::size_t axis = 0; axis < first.rank(); ++axis) {
    const Dim one = first.dims[axis], other = second.dims[axis];
    count += one.is_literal() && other.is_literal() && one.value() != other.value();
  }
  return count;
}

/// The first axis that changes; the rank: there is none. One that varies and becomes a number may be that already, and
/// of some of these forms TensorRT builds an engine. Where the last two of four axes or more may change, what is in
/// front of the third last may change, too.
std::size_t first_resized(const ModelView& view, const ValueShape& from, const ValueShape& to) {
  const std::size_t rank = from.rank();
  const auto equal = [&](std::size_t axis) { return view.dims().equal(from.dims[axis], to.dims[axis]); };
  const auto changes = [&](std::size_t axis) { return equal(axis) != Truth::yes; };
  const bool may_be_of_images = rank >= 4 && (changes(rank - 2) || changes(rank - 1));
  std::size_t axis = may_be_of_images ? rank - 3 : 0;
  const auto may_stay = [&] { return !changes(axis) || (equal(axis) == Truth::unknown && to.dims[axis].is_literal()); };
  while (axis < rank && may_stay()) ++axis;
  return axis;
}

bool varies(const ModelView& view, Dim dim) {
  const Interval range = view.dims().bounds(dim);
  return !dim.is_literal() && range.low != range.high;
}

/// What of a node's inputs has a part in the contents of its results, by more than its sizes.
template <class Onward>
void add_data(const Node& node, Onward& onward) {
  if (is_a(node.op_type, kinds::takes_sizes_only)) return;
  const auto sizes = size_operands(node.op_type);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (std::ranges::find(sizes, i) == sizes.end()) onward.add(node.inputs[i]);
  }
}

bool is_cubic(const Node& node) {
  const Attribute* const mode = node.attribute("mode");
  return mode != nullptr && mode->type == AttributeType::string && mode->s() == "cubic";
}

/// The contents of a network input have a part in it.
bool holds_data_of_input(const ModelView& view, ValueId value) {
  const Model& model = view.model;
  return walk<kMostInChain>(value, [&](ValueId id, auto& onward) {
           const NodeId maker = producer_of(model, id);
           if (!maker) return model.is_network_input(id);
           const Node& node = model.node(maker);
           if (node.call()) return false;
           for (const GraphId body : graphs_of(node)) onward.add(model.graph(body).outputs);
           add_data(node, onward);
           return false;
         }) == Walked::found;
}

/// An If of the main graph that waits for no layer: a network input is its condition, and all that its branches read.
/// Each of them computes something.
bool waits_for_nothing(const ModelView& view, const Node& node, std::span<const ValueId> read) {
  const Model& model = view.model;
  if (!model.is_network_input(node.input(0))) return false;
  const auto is_given = [&](ValueId id) { return !producer_of(model, id) || view.shapes.folds_to_constant(id); };
  return std::ranges::all_of(read, is_given) && std::ranges::all_of(graphs_of(node), [&](GraphId branch) {
           return std::ranges::any_of(model.graph(branch).outputs,
                                      [&](ValueId output) { return holds_data_of_input(view, output); });
         });
}

/// Whether the node has no part in the condition of the If, nor in what its branches read: neither by sizes nor by
/// data.
Truth is_apart(const Model& model, NodeId node, ValueId condition, std::span<const ValueId> read) {
  constexpr std::size_t kMost = 1024;
  const Walked end = walk<kMost>(condition, [&](ValueId id, auto& onward) {
    if (id == condition) onward.add(read);
    const NodeId maker = producer_of(model, id);
    if (maker == node) return true;
    if (maker) onward.add(model.node(maker).inputs);
    return false;
  });
  if (end == Walked::found) return Truth::no;
  return end == Walked::too_far ? Truth::unknown : Truth::yes;
}

/// The graph is a branch of an If that is decided at run time.
bool is_undecided_branch(const ModelView& view, GraphId id) {
  const Graph& graph = view.model.graph(id);
  if (graph.kind != Graph::Kind::body || !is_of_main_graph(view.model, id)) return false;
  return is_decided_at_run_time(view, view.model.node(graph.parent));
}

bool is_within(const Model& model, GraphId graph, NodeId owner) {
  while (model.graph(graph).kind == Graph::Kind::body) {
    if (model.graph(graph).parent == owner) return true;
    graph = model.node(model.graph(graph).parent).graph;
  }
  return false;
}

/// Whether the body of a loop reads what a layer around it makes, or what the loop begins with; unknown where it reads
/// other data of the network.
Truth keeps_layer(const ModelView& view, NodeId id) {
  const Model& model = view.model;
  const Node& loop = model.node(id);
  Truth any = Truth::no;
  for (const ValueId value : read_around(model, loop)) {
    if (!holds_data_of_input(view, value)) continue;
    if (producer_of(model, value) || std::ranges::find(loop.inputs, value) != loop.inputs.end()) return Truth::yes;
    any = Truth::unknown;
  }
  return any;
}

/// Whether an If of the main graph runs before a node that has no part in it. Unknown where TensorRT may choose.
Truth runs_before(const ModelView& view, NodeId id, NodeId other) {
  const Model& model = view.model;
  const Node& node = model.node(id);
  if (!is_needed(model, id, Reads::data)) return Truth::no;
  const std::vector<ValueId> read = read_around(model, node);
  if (waits_for_nothing(view, node, read)) return Truth::yes;
  return is_apart(model, other, node.input(0), read) == Truth::no ? Truth::no : Truth::unknown;
}

/// Sizes vary along axes that TensorRT cannot resize where a body runs before.
bool resizes_as_bodies_forbid(const ModelView& view, NodeId id) {
  const Node& node = view.model.node(id);
  if (!node.input(0) || !node.output(0)) return false;
  const ValueShape& from = view.shape(node.input(0));
  const ValueShape& to = view.shape(node.output(0));
  if (!from.has_rank || !to.has_rank || from.rank() != to.rank()) return false;
  if (from.assumed || to.assumed) return false;  // what the file declares proves nothing of what varies
  if (std::ranges::any_of(to.dims, [](Dim dim) { return dim.is_literal() && dim.value() == 0; })) return false;
  const std::size_t first = first_resized(view, from, to);
  const bool is_of_images = from.rank() >= 4 && from.rank() - first <= 2;
  if (is_of_images && !is_cubic(node)) return false;
  bool has_varying = false;
  for (std::size_t axis = first; axis < from.rank(); ++axis) {
    for (const Dim dim : {from.dims[axis], to.dims[axis]}) {
      if (!view.dims().is_exact(dim)) return false;
      has_varying = has_varying || varies(view, dim);
    }
  }
  return has_varying;
}

/// That `made` is `given` in other shapes, two of them at least.
bool is_moved_only(const Model& model, ValueId made, ValueId given) {
  std::size_t moves = 0;
  const Walked end = walk<kMostInChain>(made, [&](ValueId id, auto& onward) {
    const NodeId maker = producer_of(model, id);
    if (!maker) return id == given;
    const Node& node = model.node(maker);
    if (!is_a(node.op_type, kinds::moves_in_body)) return false;
    moves += node.op_type != "Identity";
    onward.add(node.input(0));
    return false;
  });
  return end == Walked::found && moves > 1;
}

}  // namespace

bool is_decided_at_run_time(const ModelView& view, const Node& node) {
  return node.op_type == "If" && !node.call() && node.input(0) && is_run_time_value(view, node.input(0)) == Truth::yes;
}

bool is_behind_body(const ModelView& view, ValueId value) {
  constexpr std::size_t kMost = 1024;  // a network between them is nothing unusual
  const Model& model = view.model;
  return walk<kMost>(value, [&](ValueId id, auto& onward) {
           if (view.shapes.folds_to_constant(id)) return false;
           const NodeId maker = producer_of(model, id);
           if (!maker) {
             const NodeId around = model.graph(model.value(id).graph).parent;
             return model.value(id).is_input && around && is_a(model.node(around).op_type, kinds::loop);
           }
           const Node& node = model.node(maker);
           if (is_a(node.op_type, kinds::loop) || is_a(node.op_type, kinds::recurrent)) return true;
           if (node.op_type == "If") return is_run_time_value(view, node.input(0)) == Truth::yes;
           if (!node.call()) add_data(node, onward);
           return false;
         }) == Walked::found;
}

bool runs_in_engine(const ModelView& view, NodeId id) {
  const auto outputs = view.model.node(id).outputs;
  return is_needed(view.model, id, Reads::data) &&
         std::ranges::any_of(outputs, [&](ValueId output) { return output && holds_data_of_input(view, output); });
}

bool has_computed_condition(const Model& model, const Node& node) {
  const NodeId maker = producer_of(model, node.input(0));
  return maker ? model.node(maker).op_type != "Constant" : model.is_network_input(node.input(0));
}

Truth vary_apart(DimTable& dims, const ValueShape& first, const ValueShape& second) {
  if (first.rank() != second.rank()) return Truth::no;
  bool is_shared = false, is_apart = false;
  for (std::size_t axis = 0; axis < first.rank(); ++axis) {
    const Dim one = first.dims[axis], other = second.dims[axis];
    if (!dims.is_exact(one) || !dims.is_exact(other)) return Truth::unknown;
    const bool is_same = dims.equal(one, other) == Truth::yes;
    is_apart = is_apart || !is_same;
    is_shared = is_shared || (is_same && !one.is_literal());
  }
  return is_shared && is_apart ? Truth::yes : Truth::no;
}

bool is_of_branches_apart(const ModelView& view, ValueId value) {
  if (!value || !view.shape(value).has_rank) return false;
  const std::size_t enough = view.shape(value).rank() == 4 ? 2 : 1;
  bool found = false;
  walk<kMostInChain>(value, [&](ValueId id, auto& onward) {
    const NodeId maker = producer_of(view.model, id);
    if (!maker) return false;
    const Node& node = view.model.node(maker);
    if (is_decided_at_run_time(view, node)) {
      const std::size_t output = view.model.value(id).output;
      const ValueId taken = output_of(view.model, node, "then_branch", output);
      found = differing_sizes(view, taken, output_of(view.model, node, "else_branch", output)) >= enough;
    } else if (is_a(node.op_type, kinds::moves_in_body) || is_a(node.op_type, kinds::followed_in_branch)) {
      onward.add(node.input(0));
    }
    return false;
  });
  return found;
}

bool resizes_behind_body(const ModelView& view, NodeId id) {
  return resizes_as_bodies_forbid(view, id) && is_behind_body(view, view.model.node(id).input(0));
}

Truth resizes_beside_if(const ModelView& view, NodeId id) {
  const Model& model = view.model;
  if (model.node(id).graph != kMainGraph || !resizes_as_bodies_forbid(view, id)) return Truth::no;
  if (is_behind_body(view, model.node(id).input(0))) return Truth::no;
  constexpr std::size_t kMostAsked = 16;
  std::size_t asked = 0;
  Truth any = Truth::no;
  for (const NodeId other : model.graph(kMainGraph).order) {
    if (!is_decided_at_run_time(view, model.node(other))) continue;
    const Truth is_before = ++asked > kMostAsked ? Truth::unknown : runs_before(view, other, id);
    if (is_before == Truth::yes) return Truth::yes;
    if (is_before == Truth::unknown) any = Truth::unknown;
    if (asked > kMostAsked) break;
  }
  return any;
}

Truth has_loop_in_branch(const ModelView& view, NodeId id) {
  const Model& model = view.model;
  const GraphId own = model.node(id).graph;
  if (!is_of_main_graph(model, own)) return Truth::no;
  Truth any = Truth::no;
  for (std::uint32_t index = 0; index < model.graph_count(); ++index) {
    if (!is_undecided_branch(view, GraphId{index})) continue;
    for (const NodeId other : model.graph(GraphId{index}).order) {
      if (!is_a(model.node(other).op_type, kinds::loop) || is_within(model, own, other)) continue;
      const Truth found = runs_in_engine(view, other) ? keeps_layer(view, other) : Truth::no;
      if (found == Truth::yes) return Truth::yes;
      if (found == Truth::unknown) any = Truth::unknown;
    }
  }
  return any;
}

bool stands_beside_loop(const ModelView& view, NodeId id) {
  const Model& model = view.model;
  const Node& node = model.node(id);
  if (!node.input(0) || view.shapes.folds_to_constant(node.input(0))) return false;
  if (!is_undecided_branch(view, node.graph) || is_behind_body(view, node.input(0))) return false;
  return std::ranges::any_of(model.graph(node.graph).order, [&](NodeId other) {
    const std::string_view op = model.node(other).op_type;
    return (is_a(op, kinds::loop) || is_a(op, kinds::recurrent)) && runs_in_engine(view, other);
  });
}

bool carries_moved_value(const ModelView& view, NodeId id) {
  const Node& node = view.model.node(id);
  const Steps steps = steps_of(view.model, node);
  if (steps.body == nullptr || !steps.fits || (steps.control > 0 && node.input(1))) return false;
  const Graph& body = *steps.body;
  for (std::size_t k = 0; k < steps.carried && k + steps.decides < body.outputs.size(); ++k) {
    if (is_moved_only(view.model, body.outputs[k + steps.decides], body.inputs[k + steps.control])) return true;
  }
  return false;
}

bool leaves_sequence_unread(const ModelView& view, NodeId id) {
  const Model& model = view.model;
  const Node& node = model.node(id);
  const ValueId sequence = node.output(0);
  if (!is_undecided_branch(view, node.graph)) return false;
  const auto has_reader = [&](const Value& value) { return value.is_output || !value.users.empty(); };
  if (sequence ? has_reader(model.value(sequence)) : node.op_type == "RNN") return false;
  return std::ranges::any_of(node.inputs, [&](ValueId input) { return input && holds_data_of_input(view, input); });
}

}  // namespace trtcheck
