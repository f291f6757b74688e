// If, Loop, Scan, SequenceMap: nodes that run graphs.
#include <algorithm>

#include <fmt/core.h>

#include "shapes/held.hpp"
#include "shapes/loop_trips.hpp"
#include "shapes/ops/helpers.hpp"
#include "shapes/subgraph.hpp"

namespace trtcheck::shapes {

// sequence.cpp
ValueShape element_for_body(OpContext& op, std::size_t input);
void set_results_of_body(OpContext& op, std::size_t output, const ValueShape& each);

namespace {

constexpr std::string_view kNeverTaken = "this branch is never taken";
constexpr std::string_view kBranches = "the branches of If differ";
constexpr std::string_view kIterations = "the number of iterations is known at run time only";

void mark_never_taken(OpContext& op, GraphId graph) {
  if (!graph) return;
  for (const NodeId node : op.model().graph(graph).order) {
    for (const ValueId output : op.model().node(node).outputs) {
      if (!output) continue;
      ValueShape shape;
      shape.reason = kNeverTaken;
      shape.reason_node = op.id();
      op.state().at(output) = shape;
    }
  }
}

ValueId output_of(OpContext& op, GraphId graph, std::size_t i) {
  const auto outputs = op.model().graph(graph).outputs;
  return i < outputs.size() ? outputs[i] : ValueId{};
}

ValueShape shape_of_output(OpContext& op, GraphId graph, std::size_t i) {
  const ValueId output = output_of(op, graph, i);
  return output ? op.state().at(output) : ValueShape{};
}

/// The parser sees the condition as a constant and imports one branch. It folds nothing, not even an Identity.
/// Source: onnx-tensorrt importIf, 8.0 to 11.0; TensorRT-RTX 1.4 to 1.7.
bool is_constant_condition(const Model& model, ValueId condition) {
  const NodeId producer = model.value(condition).producer;
  return model.constant(condition) || (producer && model.node(producer).op_type == "Constant");
}

void take_branch(OpContext& op, GraphId taken, GraphId other) {
  InferState& state = op.state();
  state.result.taken_branches[op.id().index] = taken;
  infer_graph(state, taken);
  if (is_constant_condition(op.model(), op.node().input(0))) {
    mark_never_taken(op, other);
  } else {
    state.result.both_imported.insert(op.id().index);
    infer_graph(state, other);
  }
  for (std::size_t i = 0; i < op.output_count(); ++i) {
    const auto outputs = op.model().graph(taken).outputs;
    if (!op.has_output(i)) continue;
    state.at(op.node().outputs[i]) = shape_of_output(op, taken, i);
    if (i < outputs.size() && outputs[i]) copy_elements(state, outputs[i], op.node().outputs[i]);
  }
}

ValueShape scalar(OpContext& op, ValueId parameter, DataType type) {
  ValueShape shape;
  shape.kind = ValueShape::Kind::tensor;
  shape.type = type;
  shape.has_rank = true;
  const TypeId declared = op.model().value(parameter).declared;
  // Some exporters declare one element of rank 1 where ONNX says scalar.
  if (declared && op.model().type(declared).has_shape && op.model().type(declared).dims.size() == 1) {
    const DimVector one{op.literal(1)};
    shape.dims = op.state().result.arena.copy(one);
  }
  return shape;
}

/// Stacked results of the iterations: the body's shape with one axis more.
void set_stacked(OpContext& op, std::size_t output, const ValueShape& element, Dim count, std::int64_t where) {
  if (!element.has_rank) return op.set_type(output, element.type, "the size of one iteration's result is not known");
  DimVector dims;
  for (std::size_t axis = 0; axis < element.dims.size(); ++axis) {
    const Dim dim = element.dims[axis];
    dims.push_back(op.dims().is_exact(dim) ? dim
                                           : op.unknown("the size of one iteration's result is not known",
                                                        static_cast<std::int32_t>(axis) + 1, op.dims().bounds(dim)));
  }
  const auto axis = op.axis(where, dims.size() + 1);
  if (!axis) return op.set_type(output, element.type, "the axis is wrong");
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(*axis), count);
  op.set(output, element.type, dims);
}

Dim trip_count(OpContext& op, const Graph& body) {
  const auto at = [&](ValueId id) -> const ValueShape& { return op.state().at(id); };
  const std::optional<Dim> trips = loop_trips(op.model(), op.node(), body, op.dims(), at);
  if (trips) return *trips;
  // The condition may end it earlier, not later.
  const auto limit = op.known(0);
  const bool is_limited = limit && limit->size() == 1;
  const std::int64_t most = is_limited ? op.dims().bounds(limit->front()).high : Interval::kMax;
  return op.unknown(kIterations, 0, {0, std::max<std::int64_t>(most, 0)});
}

std::vector<std::int64_t> axes_attribute(OpContext& op, std::string_view name, std::size_t count) {
  const auto given = op.attr_ints(name);
  if (given && given->size() == count) return {given->begin(), given->end()};
  return std::vector<std::int64_t>(count, 0);
}

/// Feeds the body with one element along the axis; the count of elements is the trip count.
std::optional<Dim> enter_scan_input(OpContext& op, ValueId parameter, std::size_t input, std::int64_t where) {
  ValueShape shape;
  shape.kind = ValueShape::Kind::tensor;
  shape.type = op.type(input);
  shape.reason = op.in(input).reason;
  shape.reason_node = op.in(input).reason_node;
  std::optional<Dim> count;
  if (op.has_rank(input)) {
    const auto axis = op.axis(where, op.rank(input));
    if (axis) {
      count = op.dim(input, *axis);
      DimVector dims(op.in(input).dims.begin(), op.in(input).dims.end());
      dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(*axis));
      shape.has_rank = true;
      shape.dims = op.state().result.arena.copy(dims);
    }
  }
  op.state().at(parameter) = shape;
  op.state().result.folds[parameter.index] = false;
  return count;
}

/// One element of a tensor along its first axes.
ValueShape without_leading(const ValueShape& given, std::size_t axes) {
  ValueShape out;
  out.kind = given.kind;
  out.type = given.type;
  out.reason = given.reason;
  out.reason_node = given.reason_node;
  if (!given.has_rank || given.rank() < axes) return out;
  out.has_rank = true;
  out.dims = given.dims.subspan(axes);
  return out;
}

}  // namespace

void infer_if(OpContext& op) {
  const GraphId yes = body_of(op, "then_branch");
  const GraphId no = body_of(op, "else_branch");
  if (!yes || !no) return give_up(op, "If without both branches");
  const auto condition = op.known(0);
  if (condition && condition->size() == 1 && condition->front().is_literal()) {
    return condition->front().is(0) ? take_branch(op, no, yes) : take_branch(op, yes, no);
  }
  InferState& state = op.state();
  state.result.taken_branches.erase(op.id().index);
  state.result.both_imported.erase(op.id().index);
  infer_graph(state, yes);
  infer_graph(state, no);
  for (std::size_t i = 0; i < op.output_count(); ++i) {
    if (!op.has_output(i)) continue;
    const ValueId output = op.node().outputs[i];
    state.at(output) = either(op, shape_of_output(op, yes, i), shape_of_output(op, no, i), kBranches);
    keep_common_elements(op, output_of(op, yes, i), output_of(op, no, i), output, kBranches);
  }
}

void infer_loop(OpContext& op) {
  const GraphId body_id = body_of(op, "body");
  if (!body_id) return give_up(op, "Loop without a body");
  const Graph& body = op.model().graph(body_id);
  const std::size_t count = op.input_count() > 2 ? op.input_count() - 2 : 0;
  if (body.inputs.size() != count + 2 || body.outputs.size() < count + 1) {
    op.conflict(fmt::format("Loop carries {} values, its body has {} inputs and {} outputs", count, body.inputs.size(),
                            body.outputs.size()));
    return give_up(op, "the body of Loop does not fit the node");
  }
  InferState& state = op.state();
  if (body.inputs[0]) state.at(body.inputs[0]) = scalar(op, body.inputs[0], DataType::int64);
  if (body.inputs[1]) state.at(body.inputs[1]) = scalar(op, body.inputs[1], DataType::boolean);
  std::vector<Carried> carried;
  for (std::size_t i = 0; i < count; ++i) carried.push_back({body.inputs[i + 2], body.outputs[i + 1], op.in(i + 2)});
  run_body(op, body_id, carried);
  for (std::size_t i = 0; i < op.output_count(); ++i) {
    if (!op.has_output(i)) continue;
    if (i < count) {
      state.at(op.node().outputs[i]) = carried[i].shape;
    } else {
      set_stacked(op, i, shape_of_output(op, body_id, i + 1), trip_count(op, body), 0);
    }
  }
}

namespace {

/// How many inputs are states, when the counts of node and body fit. onnx's reference evaluator pairs what there is: it
/// runs what ONNX Runtime refuses here, but for a number below 1 and an output that the body does not have.
std::optional<std::size_t> states_of_scan(OpContext& op, const Graph& body) {
  const std::int64_t scanned = op.attr_int("num_scan_inputs", -1);
  const auto inputs = static_cast<std::int64_t>(op.input_count());
  if (scanned < 0) {
    op.conflict(fmt::format("attribute `num_scan_inputs` is {}, of {} inputs", scanned, inputs));
    return std::nullopt;
  }
  if (scanned > inputs) {
    op.standard_forbids(fmt::format("attribute `num_scan_inputs` is {}, of {} inputs", scanned, inputs));
    return std::nullopt;
  }
  const auto states = static_cast<std::size_t>(inputs - scanned);
  if (op.output_count() < states) {
    op.standard_forbids(fmt::format("Scan has {} outputs for {} loop state variables", op.output_count(), states));
  }
  if (body.inputs.size() != op.input_count()) {
    op.standard_forbids(fmt::format("Scan has {} inputs, its body {}", inputs, body.inputs.size()));
    return std::nullopt;
  }
  if (op.output_count() > body.outputs.size()) {
    op.conflict(fmt::format("Scan has {} outputs, its body {}", op.output_count(), body.outputs.size()));
    return std::nullopt;
  }
  if (body.outputs.size() < states) {
    op.standard_forbids(
        fmt::format("the body of Scan has {} outputs for {} loop state variables", body.outputs.size(), states));
    return std::nullopt;
  }
  return states;
}

}  // namespace

void infer_scan(OpContext& op) {
  const GraphId body_id = body_of(op, "body");
  if (!body_id) return give_up(op, "Scan without a body");
  const Graph& body = op.model().graph(body_id);
  const auto counted = states_of_scan(op, body);
  if (!counted) return give_up(op, "the body of Scan does not fit the node");
  const std::size_t states = *counted;
  const std::size_t inputs = op.input_count() - states;
  const auto input_axes = axes_attribute(op, "scan_input_axes", inputs);
  std::optional<Dim> count;
  for (std::size_t i = 0; i < inputs; ++i) {
    if (!body.inputs[states + i]) continue;
    const auto length = enter_scan_input(op, body.inputs[states + i], states + i, input_axes[i]);
    if (length) count = count ? agreed(op, *count, *length, "scan inputs have the same length") : *length;
  }
  std::vector<Carried> carried;
  for (std::size_t i = 0; i < states; ++i) carried.push_back({body.inputs[i], body.outputs[i], op.in(i)});
  run_body(op, body_id, carried, true);
  const std::size_t stacked = op.output_count() > states ? op.output_count() - states : 0;
  const auto output_axes = axes_attribute(op, "scan_output_axes", stacked);
  for (std::size_t i = 0; i < op.output_count(); ++i) {
    if (!op.has_output(i)) continue;
    if (i < states) {
      op.state().at(op.node().outputs[i]) = carried[i].shape;
    } else {
      set_stacked(op, i, shape_of_output(op, body_id, i), count ? *count : op.unknown(kIterations, 0),
                  output_axes[i - states]);
    }
  }
}

/// Scan of opset 8: [lengths, states, sequences], with the batch as axis 0 of states and sequences, and the sequence as
/// axis 1. The body sees neither.
void infer_scan_batched(OpContext& op) {
  constexpr std::string_view kBatch = "all inputs of Scan have the same batch";
  const GraphId body_id = body_of(op, "body");
  if (!body_id) return give_up(op, "Scan without a body");
  const std::int64_t scanned = op.attr_int("num_scan_inputs", -1);
  const std::size_t count = op.input_count() > 0 ? op.input_count() - 1 : 0;
  if (scanned < 0 || scanned > static_cast<std::int64_t>(count)) {
    op.conflict(fmt::format("attribute `num_scan_inputs` is {}, of {} inputs", scanned, op.input_count()));
    return give_up(op, "Scan with a wrong num_scan_inputs");
  }
  const Graph& body = op.model().graph(body_id);
  const std::size_t states = count - static_cast<std::size_t>(scanned);
  if (body.inputs.size() != count || body.outputs.size() < states) {
    op.conflict(fmt::format("Scan has {} inputs without the lengths, its body {}", count, body.inputs.size()));
    return give_up(op, "the body of Scan does not fit the node");
  }
  std::optional<Dim> batch;
  std::optional<Dim> length;
  std::vector<Carried> carried;
  for (std::size_t i = 0; i < count; ++i) {
    const ValueShape& given = op.in(i + 1);
    const std::size_t outer = i < states ? 1 : 2;
    if (given.has_rank && given.rank() >= outer) {
      batch = batch ? agreed(op, *batch, given.dims[0], kBatch) : given.dims[0];
      if (outer == 2) {
        length = length ? agreed(op, *length, given.dims[1], "scan inputs have the same length") : given.dims[1];
      }
    }
    const ValueShape inner = without_leading(given, outer);
    if (i < states) {
      carried.push_back({body.inputs[i], body.outputs[i], inner});
    } else if (body.inputs[i]) {
      op.state().at(body.inputs[i]) = inner;
      op.state().result.folds[body.inputs[i].index] = false;
    }
  }
  run_body(op, body_id, carried, true);
  const Dim rows = batch ? *batch : op.unknown("the batch of Scan is not known", 0);
  for (std::size_t i = 0; i < op.output_count(); ++i) {
    if (!op.has_output(i)) continue;
    const ValueShape inner = i < states ? carried[i].shape : shape_of_output(op, body_id, i);
    if (!inner.has_rank) {
      op.set_type(i, inner.type, "the size of one iteration's result is not known");
      continue;
    }
    DimVector dims{rows};
    if (i >= states) dims.push_back(length ? *length : op.unknown(kIterations, 1));
    for (const Dim dim : inner.dims) {
      const bool is_one_size = i < states || op.dims().is_exact(dim);
      dims.push_back(is_one_size ? dim
                                 : op.unknown("the size of one iteration's result is not known",
                                              static_cast<std::int32_t>(dims.size()), op.dims().bounds(dim)));
    }
    op.set(i, inner.type, dims);
  }
}

void infer_sequence_map(OpContext& op) {
  const GraphId body_id = body_of(op, "body");
  if (!body_id) return give_up(op, "SequenceMap without a body");
  const Graph& body = op.model().graph(body_id);
  InferState& state = op.state();
  for (std::size_t i = 0; i < body.inputs.size(); ++i) {
    if (!body.inputs[i]) continue;
    const bool is_sequence = op.in(i).kind == ValueShape::Kind::sequence;
    state.at(body.inputs[i]) = is_sequence ? element_for_body(op, i) : op.in(i);
  }
  infer_graph(state, body_id);
  for (std::size_t i = 0; i < op.output_count(); ++i) set_results_of_body(op, i, shape_of_output(op, body_id, i));
}

}  // namespace trtcheck::shapes
