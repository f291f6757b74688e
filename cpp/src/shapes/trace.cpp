#include "shapes/trace.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "model/attributes.hpp"
#include "shapes/infer.hpp"
#include "shapes/shapes_impl.hpp"
#include "shapes/subgraph.hpp"

namespace trtcheck {

using shapes::DimVector;
using shapes::InferState;
using Part = TracePlace::Part;

namespace {

/// Elements of one input that are tried.
constexpr std::size_t kMostProbedElements = 256;
/// Axes of one input that are tried.
constexpr std::size_t kMostProbedAxes = 64;

std::uint32_t place_in(std::span<const ValueId> values, ValueId id) {
  return static_cast<std::uint32_t>(std::ranges::find(values, id) - values.begin());
}

/// The same axis or element of another value.
TracePlace moved(TracePlace place, ValueId to) {
  place.value = to;
  return place;
}

std::vector<TracePlace> only(TracePlace place) {
  if (!place.value) return {};
  return {place};
}

}  // namespace

struct Tracer::Impl {
  Impl(const Model& m, const InferOptions& o)
      : model(m),
        options(o),
        shapes(infer(m, o)),
        result(&ShapesAccess::data(shapes)),
        state{.model = model, .options = options, .result = *result} {
    state.omitted.resize(model.value_count());
  }

  [[nodiscard]] std::optional<Dim> at(const TracePlace& place) const noexcept {
    const ValueShape& shape = result->values[place.value.index];
    if (place.part == Part::axis && place.index < shape.dims.size()) return shape.dims[place.index];
    if (place.part == Part::element && shape.is_known && place.index < shape.known.size())
      return shape.known[place.index];
    return std::nullopt;
  }

  // --- nodes that run graphs -----------------------------------------------------------------------------

  [[nodiscard]] GraphId graph_of(const Node& node, std::string_view attribute) const {
    const Attribute* found = node.attribute(attribute);
    return found != nullptr && found->type == AttributeType::graph ? found->g() : GraphId{};
  }

  [[nodiscard]] ValueId output_of(GraphId graph, std::size_t i) const {
    if (!graph) return {};
    const auto outputs = model.graph(graph).outputs;
    return i < outputs.size() ? outputs[i] : ValueId{};
  }

  /// Nothing: the node runs no graph that the size comes from.
  std::optional<std::vector<TracePlace>> through_graphs(NodeId id, const TracePlace& place) {
    const Node& node = model.node(id);
    const std::uint32_t i = place_in(node.outputs, place.value);
    if (node.call()) return only(moved(place, output_of(node.call(), i)));
    if (!node.domain().empty()) return std::nullopt;
    if (node.op_type == "If") return through_if(id, node, i, place);
    if (node.op_type == "Loop") return through_loop(node, i, place);
    if (node.op_type == "Scan") return through_scan(node, i, place);
    return std::nullopt;
  }

  std::vector<TracePlace> through_if(NodeId id, const Node& node, std::uint32_t i, const TracePlace& place) {
    std::vector<TracePlace> made;
    const auto taken = result->taken_branches.find(id.index);
    for (const std::string_view branch : {"then_branch", "else_branch"}) {
      const GraphId graph = graph_of(node, branch);
      if (taken != result->taken_branches.end() && taken->second != graph) continue;
      if (const ValueId output = output_of(graph, i)) made.push_back(moved(place, output));
    }
    return made;
  }

  std::vector<TracePlace> through_loop(const Node& node, std::uint32_t i, const TracePlace& place) {
    const GraphId body = graph_of(node, "body");
    const std::size_t carried = node.inputs.size() > 2 ? node.inputs.size() - 2 : 0;
    const ValueId inner = output_of(body, i + 1);
    if (i >= carried) return stacked(place, inner, 0, only({node.input(0), Part::element, 0}));
    std::vector<TracePlace> made = only(moved(place, node.input(i + 2)));
    if (inner) made.push_back(moved(place, inner));
    return made;
  }

  std::vector<TracePlace> through_scan(const Node& node, std::uint32_t i, const TracePlace& place) {
    const GraphId body = graph_of(node, "body");
    const std::size_t scanned =
        static_cast<std::size_t>(std::max<std::int64_t>(int_attribute(node, "num_scan_inputs", 0), 0));
    const std::size_t states = node.inputs.size() > scanned ? node.inputs.size() - scanned : 0;
    const ValueId inner = output_of(body, i);
    if (i >= states) {
      std::vector<TracePlace> count;
      if (scanned > 0) {
        const ValueId first = node.input(states);
        count = only({first, Part::axis, axis_of(node, "scan_input_axes", 0, result->values[first.index].rank())});
      }
      const std::size_t rank = result->values[place.value.index].rank();
      return stacked(place, inner, axis_of(node, "scan_output_axes", i - states, rank), std::move(count));
    }
    std::vector<TracePlace> made = only(moved(place, node.input(i)));
    if (inner) made.push_back(moved(place, inner));
    return made;
  }

  [[nodiscard]] static std::uint32_t axis_of(const Node& node, std::string_view name, std::size_t i, std::size_t rank) {
    const Attribute* found = node.attribute(name);
    std::int64_t axis = 0;
    if (found != nullptr && found->type == AttributeType::ints && i < found->ints().size()) axis = found->ints()[i];
    if (axis < 0) axis += static_cast<std::int64_t>(rank);
    return static_cast<std::uint32_t>(std::max<std::int64_t>(axis, 0));
  }

  /// Results of iterations, one behind the other along an axis.
  static std::vector<TracePlace> stacked(const TracePlace& place, ValueId inner, std::uint32_t axis,
                                         std::vector<TracePlace> count) {
    if (place.part != Part::axis) return only({inner, Part::shape, 0});
    if (place.index == axis) return count;
    return only({inner, Part::axis, place.index - (place.index > axis ? 1 : 0)});
  }

  /// A parameter of a body: what the node around hands to it.
  std::vector<TracePlace> of_parameter(GraphId graph, const TracePlace& place) {
    const NodeId around = model.graph(graph).parent;
    if (!around) return {};
    const Node& node = model.node(around);
    const std::uint32_t i = place_in(model.graph(graph).inputs, place.value);
    if (node.call()) return only(moved(place, node.input(i)));
    if (node.op_type == "Loop") return i < 2 ? std::vector<TracePlace>{} : only(moved(place, node.input(i)));
    if (node.op_type != "Scan") return only(moved(place, node.input(i)));
    const std::size_t scanned =
        static_cast<std::size_t>(std::max<std::int64_t>(int_attribute(node, "num_scan_inputs", 0), 0));
    const std::size_t states = node.inputs.size() > scanned ? node.inputs.size() - scanned : 0;
    TracePlace outer = moved(place, node.input(i));
    if (i >= states && outer.value && place.part == Part::axis) {
      const std::size_t rank = result->values[outer.value.index].rank();
      if (outer.index >= axis_of(node, "scan_input_axes", i - states, rank)) ++outer.index;
    }
    return only(outer);
  }

  // --- one node ------------------------------------------------------------------------------------------

  /// The node with a size of its own at that place of an input.
  struct Found {
    bool is_inside = false;    ///< the result is made of it
    bool is_decisive = false;  ///< the result is another one
  };

  /// @param from  all get the same size
  Found probe(NodeId id, std::span<const TracePlace> from, const TracePlace& place) {
    const Node& node = model.node(id);
    const std::optional<Dim> before = at(place);
    const shapes::Mark mark = shapes::mark(state);
    std::vector<std::pair<ValueId, ValueShape>> kept;
    for (const TracePlace& each : from) kept.emplace_back(each.value, result->values[each.value.index]);
    std::vector<std::pair<std::uint32_t, std::span<const Dim>>> contents;
    for (const ValueId output : node.outputs) {
      if (!output) continue;
      kept.emplace_back(output, result->values[output.index]);
      const auto found = result->matrices.find(output.index);
      if (found != result->matrices.end()) contents.emplace_back(*found);
    }
    const std::string name = fmt::format(" probe {}", ++probes);
    for (const TracePlace& each : from) put(each, result->dims.symbol(name));
    shapes::infer_node(state, id);
    Found found;
    if (const std::optional<Dim> now = at(place)) {
      const std::vector<std::string_view> inside = result->dims.symbols(*now);
      found.is_inside = std::ranges::find(inside, name) != inside.end();
      found.is_decisive = before && result->dims.is_exact(*before) && !now->same(*before);
    } else {
      found.is_decisive = before.has_value();
    }
    // Of a value with two places the first copy is the whole one.
    for (auto each = kept.rbegin(); each != kept.rend(); ++each) result->values[each->first.index] = each->second;
    for (const auto& [value, dims] : contents) result->matrices[value] = dims;
    shapes::forget_since(state, mark);
    return found;
  }

  void put(const TracePlace& at, Dim dim) {
    ValueShape& shape = result->values[at.value.index];
    std::span<const Dim>& all = at.part == Part::axis ? shape.dims : shape.known;
    DimVector changed(all.begin(), all.end());
    changed[at.index] = dim;
    all = result->arena.copy(changed);
    // Contents of as many elements as there were are none of that many.
    if (at.part == Part::axis) shape.is_known = false;
  }

  std::vector<TracePlace> of_node(NodeId id, const TracePlace& place) {
    if (place.part == Part::shape) return without_rank(id);
    std::vector<TracePlace> inside;
    std::vector<TracePlace> decisive;
    std::vector<ValueId> seen;
    const auto ask = [&](const TracePlace& from) {
      const Found found = probe(id, {&from, 1}, place);
      if (found.is_inside) {
        inside.push_back(from);
      } else if (found.is_decisive) {
        decisive.push_back(from);
      }
    };
    for (const ValueId input : model.node(id).inputs) {
      if (!input || std::ranges::find(seen, input) != seen.end()) continue;
      seen.push_back(input);
      const ValueShape shape = result->values[input.index];
      const auto axes = static_cast<std::uint32_t>(std::min(shape.dims.size(), kMostProbedAxes));
      for (std::uint32_t axis = 0; axis < axes; ++axis) ask({input, Part::axis, axis});
      const std::size_t known = shape.is_known ? std::min(shape.known.size(), kMostProbedElements) : 0;
      for (std::uint32_t element = 0; element < known; ++element) ask({input, Part::element, element});
    }
    if (inside.empty() && decisive.empty()) inside = together(id, place);
    return chosen(place, std::move(inside), std::move(decisive));
  }

  /// Where two inputs of 8 make 8, neither does it alone: axes of that size that change the result together.
  std::vector<TracePlace> together(NodeId id, const TracePlace& place) {
    const std::optional<Dim> dim = at(place);
    if (!dim || place.part != Part::axis) return {};
    const std::size_t from_right = result->values[place.value.index].rank() - place.index;
    std::vector<TracePlace> right;
    std::vector<TracePlace> left;
    std::vector<TracePlace> all;
    for (const ValueId input : model.node(id).inputs) {
      if (!input) continue;
      const std::span<const Dim> dims = result->values[input.index].dims;
      for (std::uint32_t axis = 0; axis < dims.size(); ++axis) {
        const TracePlace from{input, Part::axis, axis};
        if (!dims[axis].same(*dim) || std::ranges::find(all, from) != all.end()) continue;
        all.push_back(from);
        if (dims.size() - axis == from_right) right.push_back(from);
        if (axis == place.index) left.push_back(from);
      }
    }
    for (const std::vector<TracePlace>* each : {&right, &left, &all}) {
      if (!each->empty() && probe(id, *each, place).is_inside) return *each;
    }
    return {};
  }

  /// Where a size is handed on as it is, what else it might have depended on is left out.
  std::vector<TracePlace> chosen(const TracePlace& place, std::vector<TracePlace> inside,
                                 std::vector<TracePlace> decisive) const {
    std::vector<TracePlace>& made = inside.empty() ? decisive : inside;
    const std::optional<Dim> dim = at(place);
    const auto is_same = [&](const TracePlace& from) {
      const std::optional<Dim> other = at(from);
      return dim && other && other->same(*dim);
    };
    if (std::ranges::any_of(made, is_same)) {
      std::erase_if(made, [&](const TracePlace& from) { return !is_same(from); });
    }
    return std::move(made);
  }

  /// Inputs of which not even the rank is known.
  std::vector<TracePlace> without_rank(NodeId id) {
    std::vector<TracePlace> made;
    for (const ValueId input : model.node(id).inputs) {
      if (input && !result->values[input.index].has_rank) made.push_back({input, Part::shape, 0});
    }
    return made;
  }

  const Model& model;
  const InferOptions options;
  Shapes shapes;
  ShapesAccess::Impl* result;
  InferState state;
  std::size_t probes = 0;
};

Tracer::Tracer(const Model& model, const InferOptions& options) : impl_(std::make_unique<Impl>(model, options)) {}
Tracer::~Tracer() = default;

const Shapes& Tracer::shapes() const noexcept { return impl_->shapes; }
std::optional<Dim> Tracer::at(const TracePlace& place) const noexcept { return impl_->at(place); }

std::vector<TracePlace> Tracer::sources(const TracePlace& place) {
  const Value& value = impl_->model.value(place.value);
  if (!value.producer) {
    return value.is_input && value.graph != GraphId{0} ? impl_->of_parameter(value.graph, place)
                                                       : std::vector<TracePlace>{};
  }
  if (auto through = impl_->through_graphs(value.producer, place)) return *std::move(through);
  return impl_->of_node(value.producer, place);
}

}  // namespace trtcheck
