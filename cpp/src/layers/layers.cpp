// How layers run that Q/DQ stand around: TensorRT guide, "Working with quantized types", explicit quantization. What
// fuses behind a convolution: view/qdq_view.hpp.
#include <trtcheck/layers.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "layers/forecast.hpp"
#include "layers/repeats.hpp"
#include "layers/work.hpp"
#include "model/walk.hpp"
#include "schema/kinds.hpp"
#include "shapes/known_values.hpp"
#include "target/gates.hpp"
#include "text/plural.hpp"
#include "view/executed.hpp"
#include "view/pair_inside.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck {
namespace {

using shapes::is_float;

constexpr std::size_t kLookAhead = 16;

/// Types that are computed with; others are stored only, and decoded into floats.
bool computes(DataType code) {
  return code == DataType::int8 || code == DataType::float8e4m3fn || code == DataType::float4e2m1;
}

class Forecast {
 public:
  explicit Forecast(const ModelView& view) : view_(view) {}

  /// Nothing for nodes that are no layers of interest.
  std::optional<Layer> of(NodeId id) {
    const Node& node = view_.model.node(id);
    Layer layer;
    layer.node = id;
    if (layers_of::multiplies(node)) {
      multiplying(layer, node);
    } else if (layers_of::has_work(node)) {
      without_forecast(layer, node);
    } else if (view_.is_quantized && is_a(node.op_type, kinds::quantizable)) {
      if (!element_by_element(layer, node)) return std::nullopt;
    } else if (const NodeId before = view_.is_quantized ? split_from(view_, id) : NodeId{}) {
      layer.output = quantized_by_readers(node.output(0)).value_or(network_type(node.output(0)));
      layer.type = network_type(node.output(0));
      layer.reason = LayerReason::pair_before;
      layer.why = fmt::format("a pair stands between it and {} `{}`, with which it would be one kernel",
                              view_.model.node(before).op_type, view_.model.node_label(before));
      layer.at = before;
    } else {
      return std::nullopt;
    }
    return layer;
  }

 private:
  [[nodiscard]] DataType network_type(ValueId value) const { return view_.shape(value).type; }
  [[nodiscard]] std::string name(ValueId value) const { return std::string(view_.model.value(value).name); }

  void runs_in_float(Layer& layer, const Node& node, LayerReason reason, std::string why, NodeId at = {}) const {
    layer.type = layer.output = network_type(node.output(0));
    layer.reason = reason;
    layer.why = std::move(why);
    layer.at = at;
  }

  /// Nobody knows that Q/DQ become a part of it.
  void without_forecast(Layer& layer, const Node& node) const {
    const auto is_given = [](ValueId value) { return static_cast<bool>(value); };
    const auto written = std::ranges::find_if(node.outputs, is_given);
    const bool is_dequantized =
        std::ranges::any_of(node.inputs, [&](ValueId value) { return value && dequantized(view_, value).has_value(); });
    runs_in_float(layer, node, LayerReason::not_quantized, "");
    layer.type = layer.output = written == node.outputs.end() ? DataType::undefined : network_type(*written);
    if (!view_.is_quantized) return;
    layer.why = is_dequantized ? fmt::format("Q/DQ are not known to become a part of {}", node.op_type)
                               : "neither data nor weights have Q/DQ";
  }

  void multiplying(Layer& layer, const Node& node) const {
    layer.output = quantized_behind(node.output(0)).value_or(network_type(node.output(0)));
    const LayerQuantization found = layer_quantization(view_, node);
    const DataType data = found.data ? found.data->code : DataType::undefined;
    const DataType weight = found.weight ? found.weight->code : DataType::undefined;
    if (found.weight && !computes(weight)) layer.weights = weight;
    if (found.data && found.weight && data == weight && computes(data)) {
      layer.type = data;
    } else if (found.data && found.weight && computes(data) && computes(weight)) {
      runs_in_float(layer, node, LayerReason::types_differ,
                    fmt::format("data are quantized to {}, weights to {}", to_string(data), to_string(weight)),
                    found.weight->dq);
    } else if (found.weight && !found.data) {
      if (computes(weight)) layer.weights = weight;
      without_pair(layer, node, 0, LayerReason::weights_only, found.weight->dq);
    } else if (found.data && !found.weight) {
      without_pair(layer, node, 1, LayerReason::data_only, found.data->dq);
    } else if (found.data) {
      runs_in_float(layer, node, LayerReason::types_differ,
                    fmt::format("{} is stored only, the layer computes in the type of its scale",
                                to_string(computes(data) ? weight : data)),
                    found.data->dq);
    } else if (operator_between(node, 0) && operator_between(node, 1)) {
      without_pair(layer, node, 0, LayerReason::operator_between, {});
    } else {
      runs_in_float(layer, node, LayerReason::not_quantized,
                    view_.is_quantized ? "neither data nor weights have Q/DQ" : "");
    }
  }

  /// What stands between DequantizeLinear and an operand, and Q/DQ cannot be moved across; none: nothing of this kind.
  [[nodiscard]] NodeId operator_between(const Node& node, std::size_t index) const {
    const NodeId producer = producer_of(view_.model, node.input(index));
    return producer && dequantized(view_, view_.model.node(producer).input(0)) ? producer : NodeId{};
  }

  /// One of the two operands has a pair and the other, `index`, has none.
  void without_pair(Layer& layer, const Node& node, std::size_t index, LayerReason reason, NodeId pair) const {
    const ValueId value = node.input(index);
    if (const NodeId producer = operator_between(node, index)) {
      return runs_in_float(
          layer, node, LayerReason::operator_between,
          fmt::format("{} `{}` stands between DequantizeLinear and input {}, and Q/DQ cannot be moved across it",
                      view_.model.node(producer).op_type, view_.model.node_label(producer), index),
          producer);
    }
    const bool weights = reason == LayerReason::weights_only;
    runs_in_float(layer, node, reason,
                  fmt::format("{} are quantized, {} (`{}`) are not", weights ? "its weights" : "its data",
                              weights ? "its data" : "its weights", name(value)),
                  pair);
  }

  /// A layer of quantized inputs runs in INT8 when its result is quantized as well. False: not one of these.
  bool element_by_element(Layer& layer, const Node& node) const {
    layer.type = network_type(node.output(0));
    if (!is_float(layer.type)) return false;
    std::size_t quantized = 0;
    std::optional<std::size_t> first_float;
    DataType code = DataType::undefined;
    const std::size_t data_inputs = has_one_data_input(node) ? 1 : node.inputs.size();
    for (std::size_t i = 0; i < data_inputs; ++i) {
      if (!node.input(i)) continue;
      if (const auto pair = dequantized(view_, node.input(i))) {
        ++quantized;
        code = pair->code;
      } else if (!(node.op_type == "Add" && is_made_in_eight_bits(node.input(i))) && !first_float) {
        first_float = i;
      }
    }
    const std::optional<DataType> written = quantized_behind(node.output(0));
    if (quantized == 0 && !written) return false;
    layer.output = written.value_or(layer.type);
    if (node.op_type == "MaxPool" && (quantized > 0 || written)) {
      // Moves with Q and DQ: one of the two is enough.
      layer.type = layer.output = written.value_or(code);
    } else if (quantized == 0 || first_float) {
      const std::size_t input = first_float.value_or(0);
      runs_in_float(layer, node, LayerReason::input_float,
                    data_inputs == 1 ? fmt::format("its data (`{}`) are not quantized", name(node.input(input)))
                                     : fmt::format("input {} (`{}`) is not quantized", input, name(node.input(input))));
    } else if (!written) {
      runs_in_float(layer, node, LayerReason::output_float,
                    fmt::format("its result (`{}`) is not quantized", name(node.output(0))));
    } else {
      layer.type = code;
    }
    return true;
  }

  /// A convolution or matrix product that runs quantized and takes the Add behind it into its kernel.
  [[nodiscard]] bool is_made_in_eight_bits(ValueId value) const {
    const Walked end = walk<kLookAhead>(value, [&](ValueId at, auto& onward) {
      const NodeId producer = producer_of(view_.model, at);
      if (!producer || !sole_reader(view_.model, at)) return false;
      const Node& node = view_.model.node(producer);
      if (layers_of::multiplies(node)) {
        const LayerQuantization found = layer_quantization(view_, node);
        return found.data && found.weight && found.data->code == found.weight->code && computes(found.data->code);
      }
      if (fuses_with_product(node)) onward.add(node.input(0));
      return false;
    });
    return end == Walked::found;
  }

  static bool has_one_data_input(const Node& node) {
    return node.op_type != "Add" && node.op_type != "Sub" && node.op_type != "Mul" && node.op_type != "Max" &&
           node.op_type != "Min" && node.op_type != "Concat";
  }

  /// Type that all readers quantize the value to; nothing where one of them does not.
  [[nodiscard]] std::optional<DataType> quantized_by_readers(ValueId value) const {
    if (!value || view_.model.value(value).is_output) return std::nullopt;
    const std::span<const Use> uses = readers_of(view_.model, value);
    DataType code = DataType::undefined;
    for (const Use& use : uses) {
      const Node& reader = view_.model.node(use.node);
      if (!is_quantize(reader)) return std::nullopt;
      code = code_type(view_, reader);
    }
    if (uses.empty()) return std::nullopt;
    return code == DataType::uint8 || code == DataType::undefined ? DataType::int8 : code;
  }

  /// The quantized type that a layer writes: Q follows it, behind what fuses with it and what Q is moved across.
  [[nodiscard]] std::optional<DataType> quantized_behind(ValueId value) const {
    std::optional<DataType> written;
    walk<kLookAhead>(value, [&](ValueId at, auto& onward) {
      written = quantized_by_readers(at);
      if (written) return true;
      const NodeId id = sole_reader(view_.model, at);
      if (!id || view_.model.value(at).is_output) return false;
      const Node& reader = view_.model.node(id);
      const bool passes = fuses_with_product(reader) || commutes_with_qdq(reader);
      if (passes || is_residual(reader, at)) onward.add(reader.output(0));
      return false;
    });
    return written;
  }

  /// An Add whose other operand is quantized: Conv + Add is one kernel.
  [[nodiscard]] bool is_residual(const Node& node, ValueId from) const {
    if (node.op_type != "Add" || node.inputs.size() != 2) return false;
    const ValueId other = node.inputs[0] == from ? node.inputs[1] : node.inputs[0];
    return dequantized(view_, other).has_value();
  }

  const ModelView& view_;
};

}  // namespace

std::optional<Layer> layers_of::forecast(const ModelView& view, NodeId id) { return Forecast(view).of(id); }

std::string_view to_string(LayerReason reason) noexcept {
  constexpr std::array<std::string_view, 9> kNames{"none",        "not-quantized", "weights-only",
                                                   "data-only",   "types-differ",  "operator-between",
                                                   "input-float", "output-float",  "pair-before"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::vector<Layer> layers(const Model& model, const Shapes& shapes, const Target& target) {
  const TensorView tensors(model);
  const std::vector<NodeId> nodes = executed_nodes(model, shapes, target);
  const ModelView view(model, shapes, target, tensors, nodes);
  Forecast forecast(view);
  layers_of::Repeats repeats(view);
  std::vector<Layer> found;
  for (const NodeId id : nodes) {
    std::optional<Layer> layer = forecast.of(id);
    if (!layer) continue;
    layer->work = layers_of::work_of(view, model.node(id));
    if (layers_of::has_work(model.node(id))) {
      const layers_of::Repeats::Count count = repeats.of(model.node(id).graph);
      if (layer->work) layer->work = view.dims().mul(*layer->work, count.times);
      layer->counted_once = count.counted_once;
    }
    found.push_back(std::move(*layer));
  }
  return found;
}

std::vector<TypeBorder> type_borders(const Model& model, const Shapes& shapes, const Target& target) {
  std::vector<TypeBorder> found;
  for (const NodeId id : executed_nodes(model, shapes, target)) {
    const Node& node = model.node(id);
    if (node.op_type != "Cast" || shapes.folds_to_constant(node.output(0))) continue;
    const DataType from = shapes[node.input(0)].type;
    const DataType to = shapes[node.output(0)].type;
    if (is_float(from) && is_float(to) && from != to) found.push_back({id, from, to});
  }
  return found;
}

}  // namespace trtcheck
