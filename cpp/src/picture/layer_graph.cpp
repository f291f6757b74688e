#include "picture/layer_graph.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "picture/neighbourhood.hpp"
#include "picture/svg.hpp"
#include "text/printable.hpp"
#include "view/node_view.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck {
namespace {

using Kind = Neighbourhood::Kind;
using picture::Mark;

/// Graphviz takes 0.3 s for so many, and 2 s for twice as many.
constexpr std::size_t kMostNodes = 500;

Mark mark_of(const Layer& layer) {
  if (layer.type == DataType::undefined) return {};
  std::string text = to_string(layer.type);
  if (layer.weights != DataType::undefined) text += fmt::format(", {} weights", to_string(layer.weights));
  return {tint_of(layer.type), std::move(text)};
}

class LayerGraph {
 public:
  LayerGraph(const Model& model, const Shapes& shapes, std::span<const Layer> layers) : model_(model), shapes_(shapes) {
    for (const Layer& layer : layers) layers_.emplace(layer.node, &layer);
  }

  /// Nodes of the main graph first, in the order in which they run.
  void make() {
    for (const NodeId id : model_.graph().order) {
      if (is_hidden(id)) continue;
      if (place_.size() == kMostNodes) {
        ++left_out_;
        continue;
      }
      place_[id] = add(Kind::node, model_.node(id).op_type, model_.node_label(id));
      const auto layer = layers_.find(id);
      marks_.push_back(layer == layers_.end() ? Mark{} : mark_of(*layer->second));
    }
    for (const auto& [id, place] : place_) {
      const std::span<const ValueId> inputs = model_.node(id).inputs;
      for (const ValueId input : inputs.first(std::min(inputs.size(), kPorts))) link(input, place);
    }
    for (const auto& [id, place] : place_) link_bodies(id);
    for (const ValueId output : model_.graph().outputs) link_output(output);
  }

  [[nodiscard]] const Neighbourhood& drawing() const noexcept { return out_; }
  [[nodiscard]] const std::vector<Mark>& marks() const noexcept { return marks_; }
  [[nodiscard]] std::size_t left_out() const noexcept { return left_out_; }

  [[nodiscard]] std::string description() const {
    std::string text;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      if (marks_[i].text.empty()) continue;
      text += fmt::format("{} `{}` runs in {}. ", printable(out_.nodes[i].op_type, kMaxName),
                          printable(out_.nodes[i].name, kMaxName), marks_[i].text);
    }
    return text;
  }

 private:
  /// Constants, and what stands for a type on an edge.
  [[nodiscard]] bool is_hidden(NodeId id) const {
    const Node& node = model_.node(id);
    if (is_dequantize(node)) return true;
    if (is_quantize(node)) return !shows_quantizer(node);
    return std::ranges::all_of(node.outputs,
                               [&](ValueId output) { return !output || shapes_.folds_to_constant(output); });
  }

  /// A graph input is quantized by a kernel of its own.
  [[nodiscard]] bool shows_quantizer(const Node& node) const {
    const ValueId data = node.input(0);
    return data && !producer_of(model_, data) && !shapes_.folds_to_constant(data);
  }

  std::uint32_t add(Kind kind, std::string_view op_type, std::string_view name) {
    out_.nodes.push_back({kind, Neighbourhood::Role::plain, picture::cut(op_type), picture::cut(name)});
    return static_cast<std::uint32_t>(out_.nodes.size() - 1);
  }

  /// Where a tensor comes from, and the tensor itself: in front of a pair the codes.
  struct Source {
    std::uint32_t place = 0;
    ValueId value;
  };
  std::optional<Source> source_of(ValueId value) {
    ValueId told = value;
    // A way through pairs is no longer than the graph.
    for (std::size_t step = 0; value && step <= model_.graph().node_count; ++step) {
      if (shapes_.folds_to_constant(value) || model_.constant(value)) return std::nullopt;
      const NodeId producer = producer_of(model_, value);
      if (!producer)
        return model_.value(value).is_input ? std::optional(Source{end(value, Kind::input), told}) : std::nullopt;
      if (const auto place = place_.find(producer); place != place_.end()) return Source{place->second, told};
      const Node& node = model_.node(producer);
      if (!is_dequantize(node) && !is_quantize(node)) return std::nullopt;
      if (is_quantize(node)) told = value;
      value = node.input(0);
      if (is_dequantize(node)) told = value;
    }
    return std::nullopt;
  }

  void link(ValueId value, std::uint32_t reader) {
    if (!value) return;
    const std::optional<Source> source = source_of(value);
    if (!source || !drawn_.emplace(source->place, reader, source->value).second) return;
    out_.edges.push_back({source->place, reader, picture::cut(model_.value(source->value).name),
                          picture::cut(shapes_.text(source->value)), false, ""});
  }

  /// What the bodies of other nodes read of a node.
  void link_bodies(NodeId id) {
    for (const ValueId output : model_.node(id).outputs) {
      for (const Use& use : readers_of(model_, output)) {
        NodeId reader = use.node;
        while (reader && model_.node(reader).graph != GraphId{0}) {
          reader = model_.graph(model_.node(reader).graph).parent;
        }
        const auto place = place_.find(reader);
        if (reader != use.node && place != place_.end()) link(output, place->second);
      }
    }
  }

  void link_output(ValueId output) {
    if (output && source_of(output)) link(output, end(output, Kind::output));
  }

  std::uint32_t end(ValueId value, Kind kind) {
    const auto [it, is_new] = ends_.try_emplace({value, kind}, 0U);
    if (is_new) it->second = add(kind, "", model_.value(value).name);
    return it->second;
  }

  const Model& model_;
  const Shapes& shapes_;
  std::map<NodeId, const Layer*> layers_;
  Neighbourhood out_;
  std::vector<Mark> marks_;  ///< of the first nodes of `out_`
  std::map<NodeId, std::uint32_t> place_;
  std::map<std::pair<ValueId, Kind>, std::uint32_t> ends_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, ValueId>> drawn_;
  std::size_t left_out_ = 0;
};

}  // namespace

Mark::Tint tint_of(DataType type) noexcept {
  if (type == DataType::undefined) return Mark::Tint::none;
  const int bits = bits_of(type);
  return bits <= 8 ? Mark::Tint::quantized : bits == 16 ? Mark::Tint::half : Mark::Tint::real;
}

LayerPicture draw_layers(const Model& model, const Shapes& shapes, std::span<const Layer> layers) {
  LayerGraph graph(model, shapes, layers);
  graph.make();
  if (graph.marks().empty()) return {"", graph.left_out()};
  return {picture::svg_of(picture::boxes_of(graph.drawing(), false, graph.marks()),
                          {"The graph with the types that its layers run in", graph.description()}, false),
          graph.left_out()};
}

}  // namespace trtcheck
