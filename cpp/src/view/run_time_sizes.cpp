#include "view/run_time_sizes.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "model/walk.hpp"
#include "schema/kinds.hpp"

namespace trtcheck {
namespace {

constexpr std::size_t kMostValues = 256;

struct SizeOperands {
  std::string_view op_type;
  std::array<std::uint8_t, 3> inputs;
  std::size_t count;
};
constexpr SizeOperands kSizeOperands[] = {
    {"AffineGrid", {1}, 1},  {"BlackmanWindow", {0}, 1}, {"CenterCropPad", {1}, 1}, {"ConstantOfShape", {0}, 1},
    {"Expand", {1}, 1},      {"HammingWindow", {0}, 1},  {"HannWindow", {0}, 1},    {"OneHot", {1}, 1},
    {"Pad", {1}, 1},         {"Range", {0, 1, 2}, 3},    {"Reshape", {1}, 1},       {"Resize", {2, 3}, 2},
    {"Slice", {1, 2, 4}, 3}, {"Split", {1}, 1},          {"Tile", {1}, 1},          {"TopK", {1}, 1},
    {"Upsample", {1}, 1}};

/// The Loop or Scan whose body the value is an input of.
NodeId iterating(const Model& model, ValueId id) {
  const Value& value = model.value(id);
  const Graph& graph = model.graph(value.graph);
  if (value.producer || graph.kind != Graph::Kind::body || !graph.parent) return {};
  if (std::ranges::find(graph.inputs, id) == graph.inputs.end()) return {};
  return is_a(model.node(graph.parent).op_type, kinds::loop) ? graph.parent : NodeId{};
}

ValueId output_of(const Model& model, GraphId graph, std::size_t output) {
  const auto outputs = model.graph(graph).outputs;
  return output < outputs.size() ? outputs[output] : ValueId{};
}

/// Whether an output of the If holds numbers, or sizes that are the same in both branches.
bool is_known(const ModelView& view, const Node& node, ValueId id) {
  const ValueShape& shape = view.shape(id);
  // Numbers beyond all sizes are not exact, and the same all the same.
  const auto is_in_branch = [&](const Attribute& attribute, std::size_t i) {
    if (attribute.type != AttributeType::graph || !attribute.g()) return true;
    const ValueId inner = output_of(view.model, attribute.g(), view.model.value(id).output);
    return inner && view.shape(inner).is_known && i < view.shape(inner).known.size() &&
           view.shape(inner).known[i].same(shape.known[i]);
  };
  if (!shape.is_known) return false;
  for (std::size_t i = 0; i < shape.known.size(); ++i) {
    if (view.dims().is_exact(shape.known[i])) continue;
    const auto has_it = [&](const Attribute& attribute) { return is_in_branch(attribute, i); };
    if (!std::ranges::all_of(node.attributes(), has_it)) return false;
  }
  return true;
}

/// Sizes of a tensor are known whatever its contents; what comes out of a loop is known when it is over.
bool ends_walk(std::string_view op) { return is_a(op, kinds::reads_sizes_only) || is_a(op, kinds::loop); }

}  // namespace

std::span<const std::uint8_t> size_operands(std::string_view op_type) noexcept {
  const auto* found = std::ranges::find(kSizeOperands, op_type, &SizeOperands::op_type);
  if (found == std::end(kSizeOperands)) return {};
  return std::span(found->inputs).first(found->count);
}

RunTimeSource run_time_source(const ModelView& view, ValueId value) {
  using Kind = RunTimeSource::Kind;
  const Model& model = view.model;
  RunTimeSource chosen;
  walk<kMostValues>(view.parser.argument(value), [&](ValueId id, auto& onward) {
    const auto go_on = [&](ValueId next) { onward.add(view.parser.argument(next)); };
    if (const NodeId loop = iterating(model, id)) {
      chosen = {.kind = Kind::iterated, .node = loop, .value = id};
      return true;
    }
    const NodeId producer = model.constant(id) ? NodeId{} : producer_of(model, id);
    if (!producer) return false;
    const Node& node = model.node(producer);
    const std::size_t output = model.value(id).output;
    if (node.call()) {
      go_on(output_of(model, node.call(), output));
    } else if (node.op_type == "If") {
      const GraphId taken = view.shapes.taken_branch(producer);
      if (!taken && !chosen.node && !is_known(view, node, id)) {
        chosen = {.kind = Kind::chosen, .node = producer, .value = id};
      }
      for (const Attribute& attribute : node.attributes()) {
        const bool is_branch = attribute.type == AttributeType::graph && attribute.g();
        if (is_branch && (!taken || attribute.g() == taken)) go_on(output_of(model, attribute.g(), output));
      }
    } else if (!ends_walk(node.op_type)) {
      for (const ValueId input : node.inputs) go_on(input);
    }
    return false;
  });
  return chosen;
}

}  // namespace trtcheck
