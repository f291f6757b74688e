#include "layers/repeats.hpp"

#include "shapes/loop_trips.hpp"

namespace trtcheck::layers_of {
namespace {

constexpr std::int64_t kScanWithoutBatches = 9;

}  // namespace

// Depth is bounded by Limits::graph_depth, kept by the reader.
Repeats::Count Repeats::of(GraphId graph) {
  if (const auto known = known_.find(graph.index); known != known_.end()) return known->second;
  const NodeId parent = view_->model.graph(graph).parent;
  Count count{view_->dims().literal(1), {}};
  if (parent) {
    const Node& node = view_->model.node(parent);
    count = of(node.graph);
    if (const std::optional<Dim> own = trips(node, graph); own && view_->dims().is_exact(*own)) {
      count.times = view_->dims().mul(count.times, *own);
    } else {
      count.counted_once = parent;
    }
  }
  known_.emplace(graph.index, count);
  return count;
}

std::optional<Dim> Repeats::trips(const Node& node, GraphId body) const {
  const Model& model = view_->model;
  if (node.call()) return view_->dims().literal(1);
  if (!node.domain().empty()) return std::nullopt;
  if (node.op_type == "If") return view_->dims().literal(1);
  if (node.op_type == "Loop") {
    const auto at = [&](ValueId id) -> const ValueShape& { return view_->shape(id); };
    return shapes::loop_trips(model, node, model.graph(body), view_->dims(), at);
  }
  // Scan: as many as its first scanned input has entries. That of opset 8 has batches.
  const auto scanned = static_cast<std::size_t>(int_attribute(node, "num_scan_inputs", 0));
  if (node.op_type != "Scan" || scanned == 0 || scanned > node.inputs.size()) return std::nullopt;
  if (model.opset(node.graph).value_or(0) < kScanWithoutBatches) return std::nullopt;
  const ValueShape& shape = view_->shape(node.inputs[node.inputs.size() - scanned]);
  if (!shape.has_rank) return std::nullopt;
  const auto rank = static_cast<std::int64_t>(shape.rank());
  const Attribute* const axes = node.attribute("scan_input_axes");
  const bool has_axes = axes != nullptr && axes->type == AttributeType::ints && !axes->ints().empty();
  const std::int64_t axis = has_axes ? axes->ints()[0] : 0;
  if (axis < -rank || axis >= rank) return std::nullopt;
  return shape.dims[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)];
}

}  // namespace trtcheck::layers_of
