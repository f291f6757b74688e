#include "view/bodies.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "model/walk.hpp"
#include "schema/kinds.hpp"
#include "view/build_time.hpp"

namespace trtcheck {
namespace {

/// Longer chains before one node are no model that somebody wrote.
constexpr std::size_t kMostInChain = 64;

bool is_narrow(const ModelView& view, ValueId from) {
  bool found = false;
  walk<kMostInChain>(from, [&](ValueId id, auto& onward) {
    const NodeId maker = producer_of(view.model, id);
    if (!maker) return false;
    const Node& node = view.model.node(maker);
    if (is_a(node.op_type, kinds::narrow_layer)) {
      found = view.shape(id).has_rank && view.shape(id).rank() == 3;
    } else if (is_a(node.op_type, kinds::followed_in_branch)) {
      onward.add(node.input(0));
    }
    return false;
  });
  return found;
}

/// Another one like it, which the builder merges with it.
bool has_twin(const Model& model, const Node& node) {
  const ValueId first = node.input(0);
  return first && std::ranges::any_of(model.value(first).users, [&](const Use& use) {
           const Node& other = model.node(use.node);
           return &other != &node && other.op_type == node.op_type && std::ranges::equal(other.inputs, node.inputs);
         });
}

/// Outside of branches something else is computed of it than element by element: then the reshape has another reader.
bool is_read_beside(const Model& model, ValueId value) {
  const Value& found = model.value(value);
  const auto is_other = [&](const Use& use) {
    const Node& reader = model.node(use.node);
    if (reader.graph != found.graph || reader.op_type == "If" || reader.op_type == "Shape") return false;
    return reader.inputs.size() != 1 || !is_a(reader.op_type, kinds::followed_in_branch);
  };
  return found.is_output || std::ranges::any_of(found.users, is_other) ||
         (found.producer && has_twin(model, model.node(found.producer)));
}

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

bool changes_narrow_layer(const ModelView& view, const Graph& branch) {
  bool has_narrow = false;
  for (const NodeId id : branch.order) {
    const Node& node = view.model.node(id);
    if (node.op_type == "Constant") continue;
    if (!is_a(node.op_type, kinds::followed_in_branch)) return false;
    for (const ValueId input : node.inputs) {
      const bool is_outside = input && view.model.value(input).graph != node.graph;
      has_narrow = has_narrow || (is_outside && is_narrow(view, input) && !is_read_beside(view.model, input));
    }
  }
  return has_narrow;
}

bool is_of_branches_apart(const ModelView& view, ValueId value) {
  if (!value || !view.shape(value).has_rank) return false;
  const std::size_t enough = view.shape(value).rank() == 4 ? 2 : 1;
  bool found = false;
  walk<kMostInChain>(value, [&](ValueId id, auto& onward) {
    const NodeId maker = producer_of(view.model, id);
    if (!maker) return false;
    const Node& node = view.model.node(maker);
    if (node.op_type == "If" && is_run_time_value(view, node.input(0)) == Truth::yes) {
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

bool carries_moved_value(const ModelView& view, NodeId id) {
  const Node& node = view.model.node(id);
  const Attribute* const given = node.attribute("body");
  const bool is_scan = node.op_type == "Scan";
  if (given == nullptr || given->type != AttributeType::graph || (!is_scan && node.input(1))) return false;
  const Graph& body = view.model.graph(given->g());
  const Attribute* const scanned = node.attribute("num_scan_inputs");
  const std::size_t beside = is_scan ? 0 : 1;  // the condition
  const std::size_t last = scanned == nullptr ? 0 : static_cast<std::size_t>(std::max<std::int64_t>(0, scanned->i()));
  const std::size_t before = is_scan ? 0 : 2;  // the iteration and the condition
  for (std::size_t i = 0; before + i + last < body.inputs.size() && beside + i < body.outputs.size(); ++i) {
    if (is_moved_only(view.model, body.outputs[beside + i], body.inputs[before + i])) return true;
  }
  return false;
}

}  // namespace trtcheck
