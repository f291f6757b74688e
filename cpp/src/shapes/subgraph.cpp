#include "shapes/subgraph.hpp"

#include "shapes/known_values.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kCarried = "the size changes from one iteration to the next";

// A body is run up to three times; in deeper nests carried shapes are given up at once, so that the work stays linear.
constexpr std::uint32_t kFollowedLoops = 3;

ValueShape without_sizes(const ValueShape& shape, NodeId node) {
  ValueShape out;
  out.kind = shape.kind;
  out.type = shape.type;
  out.reason = kCarried;
  out.reason_node = node;
  return out;
}

ValueShape without_contents(ValueShape shape) {
  shape.is_known = false;
  shape.known = {};
  return shape;
}

/// Same rank, same sizes, same type.
bool is_stable(InferState& state, const ValueShape& before, const ValueShape& after) {
  if (before.kind != after.kind || before.type != after.type) return false;
  if (!before.has_rank) return true;
  if (!after.has_rank || before.dims.size() != after.dims.size()) return false;
  for (std::size_t axis = 0; axis < before.dims.size(); ++axis) {
    if (!before.dims[axis].same(after.dims[axis]) &&
        state.result.dims.equal(before.dims[axis], after.dims[axis]) != Truth::yes)
      return false;
  }
  return true;
}

/// What holds before and after one iteration, and so before and after any number of them: an axis whose size
/// changes may grow or shrink on, two sizes are no bounds of the third. `open` gathers the dims of such axes.
ValueShape widened(OpContext& op, const ValueShape& before, const ValueShape& after, DimVector& open) {
  ValueShape out = without_contents(either(op, before, after, kCarried));
  if (!out.has_rank) return out;
  DimVector dims(out.dims.begin(), out.dims.end());
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis].same(before.dims[axis])) continue;
    dims[axis] = op.unknown(kCarried, static_cast<std::int32_t>(axis));
    open.push_back(dims[axis]);
  }
  out.dims = op.state().result.arena.copy(dims);
  return out;
}

/// An axis that was given up on may hold anything afterwards.
bool is_covered(InferState& state, const ValueShape& before, const ValueShape& after, const DimVector& open) {
  if (!before.has_rank) return true;
  if (!after.has_rank || before.dims.size() != after.dims.size()) return false;
  for (std::size_t axis = 0; axis < before.dims.size(); ++axis) {
    const Dim dim = before.dims[axis];
    const bool is_open = std::any_of(open.begin(), open.end(), [&](Dim each) { return each.same(dim); });
    if (!is_open && !dim.same(after.dims[axis]) && state.result.dims.equal(dim, after.dims[axis]) != Truth::yes)
      return false;
  }
  return true;
}

/// Not proven to differ.
bool may_be_same(InferState& state, const ValueShape& before, const ValueShape& after) {
  if (before.kind != after.kind || before.type != after.type || !before.has_rank || !after.has_rank) return false;
  if (before.dims.size() != after.dims.size()) return false;
  for (std::size_t axis = 0; axis < before.dims.size(); ++axis) {
    if (state.result.dims.equal(before.dims[axis], after.dims[axis]) == Truth::no) return false;
  }
  return true;
}

void require_same(OpContext& op, const ValueShape& before, const ValueShape& after) {
  for (std::size_t axis = 0; axis < before.dims.size(); ++axis) {
    (void)op.require_equal(before.dims[axis], after.dims[axis],
                           "a state keeps its shape from one iteration to the next");
  }
}

void enter(InferState& state, const std::vector<Carried>& carried) {
  for (const Carried& value : carried) {
    if (!value.input) continue;
    state.at(value.input) = value.shape;
    state.result.folds[value.input.index] = false;
  }
}

}  // namespace

GraphId body_of(OpContext& op, std::string_view attribute) {
  const Attribute* found = op.attr(attribute);
  return found != nullptr && found->type == AttributeType::graph ? found->g() : GraphId{};
}

void give_up(OpContext& op, std::string_view reason) {
  for (const ValueId id : op.node().outputs) {
    if (!id) continue;
    ValueShape shape;
    shape.reason = reason;
    shape.reason_node = op.id();
    op.state().at(id) = shape;
  }
}

ValueShape either(OpContext& op, const ValueShape& a, const ValueShape& b, std::string_view reason) {
  ValueShape out;
  out.reason = reason;
  out.reason_node = op.id();
  if (a.kind != b.kind || a.kind == ValueShape::Kind::unknown) return out;
  out.kind = a.kind;
  out.type = a.type == b.type ? a.type : DataType::undefined;
  out.assumed = a.assumed || b.assumed;
  out.differs = a.differs || b.differs;
  if (!a.has_rank || !b.has_rank || a.dims.size() != b.dims.size()) return out;
  DimTable& table = op.dims();
  DimVector dims;
  for (std::size_t axis = 0; axis < a.dims.size(); ++axis) {
    const Dim x = a.dims[axis];
    const Dim y = b.dims[axis];
    if (x.same(y) || table.equal(x, y) == Truth::yes) {
      dims.push_back(x);
      continue;
    }
    const Interval p = table.bounds(x);
    const Interval q = table.bounds(y);
    dims.push_back(
        op.unknown(reason, static_cast<std::int32_t>(axis), {std::min(p.low, q.low), std::max(p.high, q.high)}));
  }
  out.has_rank = true;
  out.reason = {};
  out.reason_node = {};
  out.dims = op.state().result.arena.copy(dims);
  if (!a.is_known || !b.is_known || a.known.size() != b.known.size()) return out;
  DimVector contents;
  for (std::size_t i = 0; i < a.known.size(); ++i) {
    const bool is_same = a.known[i].same(b.known[i]);
    contents.push_back(is_same ? a.known[i] : is_float(out.type) ? op.open_number(reason) : op.unknown_content(reason));
  }
  out.is_known = true;
  out.known = op.state().result.arena.copy(contents);
  return out;
}

ValueId source_of(const Model& model, ValueId value) {
  // Exporters write one or two; the counter keeps hostile chains cheap.
  for (int steps = 0; value && steps < 16; ++steps) {
    const NodeId producer = model.value(value).producer;
    if (!producer || model.node(producer).op_type != "Identity" || !model.node(producer).domain().empty()) break;
    value = model.node(producer).input(0);
  }
  return value;
}

Mark mark(const InferState& state) {
  return {state.result.conflicts.size(), state.result.obligations.size(), state.result.mismatches.size(),
          state.result.carried_changes.size()};
}

void forget_since(InferState& state, Mark mark) {
  state.result.conflicts.resize(mark.conflicts);
  state.result.obligations.resize(mark.obligations);
  state.result.mismatches.resize(mark.mismatches);
  state.result.carried_changes.resize(mark.carried_changes);
}

void run_body(OpContext& op, GraphId body, std::vector<Carried>& carried, bool keeps) {
  InferState& state = op.state();
  const Mark before = mark(state);
  for (Carried& value : carried) {
    // What a body hands on unchanged keeps its contents, too.
    const bool is_constant = source_of(state.model, value.output) == value.input;
    if (!is_constant) value.shape = without_contents(value.shape);
    if (!is_constant && state.loop_depth >= kFollowedLoops) value.shape = without_sizes(value.shape, op.id());
  }
  ++state.loop_depth;
  enter(state, carried);
  infer_graph(state, body);
  std::vector<CarriedChange> changes;
  DimVector open;
  bool has_widened = false;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    Carried& value = carried[i];
    if (!value.output || is_stable(state, value.shape, state.at(value.output))) continue;
    changes.push_back({.node = op.id(), .index = i, .before = value.shape, .after = state.at(value.output)});
    if (keeps && may_be_same(state, value.shape, state.at(value.output))) continue;
    value.shape = widened(op, value.shape, state.at(value.output), open);
    has_widened = true;
  }
  // Further runs of a deep nest would multiply; sizes cannot change there any more, types alone do in broken files.
  const bool runs_again = has_widened && state.loop_depth <= kFollowedLoops;
  if (runs_again) {
    forget_since(state, before);
    enter(state, carried);
    infer_graph(state, body);
    // A size that stood still only because another one had not moved yet.
    const bool covered = std::all_of(carried.begin(), carried.end(), [&](const Carried& value) {
      if (!value.output || is_covered(state, value.shape, state.at(value.output), open)) return true;
      return keeps && may_be_same(state, value.shape, state.at(value.output));
    });
    if (!covered) {
      forget_since(state, before);
      for (Carried& value : carried) {
        if (source_of(state.model, value.output) != value.input) value.shape = without_sizes(value.shape, op.id());
      }
      enter(state, carried);
      infer_graph(state, body);
    }
  }
  for (const Carried& value : carried) {
    const bool is_kept = keeps && value.output && may_be_same(state, value.shape, state.at(value.output));
    if (is_kept) require_same(op, value.shape, state.at(value.output));
  }
  --state.loop_depth;
  state.result.carried_changes.insert(state.result.carried_changes.end(), changes.begin(), changes.end());
}

}  // namespace trtcheck::shapes
