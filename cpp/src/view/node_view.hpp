// Everything that a fact or a rule may ask about one node. No answer is a guess: what cannot be known is said to be
// unknown, and what is not there is told apart from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>

#include "model/attributes.hpp"
#include "view/measured.hpp"
#include "view/operators.hpp"
#include "view/parser_view.hpp"
#include "view/stored_tensors.hpp"
#include "view/tensor_view.hpp"

namespace trtcheck {

/// Made once a run.
struct ModelView {
  const Model& model;
  const Shapes& shapes;
  const Target& target;
  const TensorView& tensors;
  Operators operators;
  ParserView parser;
  bool is_quantized;  ///< something dequantizes
  bool read_weights;  ///< the user wants weights to be looked at, whatever the precision
  Measured measured;

  /// @param nodes  those that are asked about
  ModelView(const Model& m, const Shapes& s, const Target& t, const TensorView& constants,
            std::span<const NodeId> nodes, const NumberSources& numbers = {})
      : model(m),
        shapes(s),
        target(t),
        tensors(constants),
        operators(m, t, nodes),
        parser(m, s, t),
        is_quantized(operators.has("DequantizeLinear")),
        read_weights(numbers.read_weights),
        measured(m, numbers.ranges),
        nodes_(nodes) {}
  [[nodiscard]] DimTable& dims() const noexcept { return shapes.dims(); }
  /// Made when somebody asks.
  [[nodiscard]] std::span<const StoredTensor> stored() const;
  [[nodiscard]] const ValueShape& shape(ValueId id) const noexcept { return shapes[id]; }

 private:
  std::span<const NodeId> nodes_;
  mutable std::optional<std::vector<StoredTensor>> stored_;
};

/// The node that makes the value; none for inputs and initializers.
[[nodiscard]] NodeId producer_of(const Model& model, ValueId value) noexcept;
/// Who reads the value: the first thousand uses, what more nodes read is no pattern.
[[nodiscard]] std::span<const Use> readers_of(const Model& model, ValueId value) noexcept;

/// A floating point input of the network that a value is computed from by operators that TensorRT computes sizes with,
/// all of fixed size; none: there is none, or it is far away.
[[nodiscard]] ValueId float_input_of(const ModelView& view, ValueId value);
/// The same of any element type.
[[nodiscard]] ValueId network_input_of(const ModelView& view, ValueId value);

class NodeView {
 public:
  NodeView(const ModelView& view, NodeId id) noexcept : view_(&view), id_(id), node_(&view.model.node(id)) {}

  [[nodiscard]] const ModelView& view() const noexcept { return *view_; }
  [[nodiscard]] NodeId id() const noexcept { return id_; }
  [[nodiscard]] const Node& node() const noexcept { return *node_; }
  /// Of ONNX in the graph of the node; 0 = not imported.
  [[nodiscard]] std::int64_t opset() const noexcept { return view_->operators.opset(id_); }

  /// Behind parameters of functions; none when it is left out or nothing makes it.
  [[nodiscard]] ValueId input(std::size_t index) const;
  [[nodiscard]] ValueId output(std::size_t index) const { return node_->output(index); }
  [[nodiscard]] const ValueShape& shape(ValueId id) const noexcept { return view_->shapes[id]; }
  /// Contents of a constant of few elements, as numbers with symbols or as doubles.
  [[nodiscard]] std::optional<std::vector<Dim>> whole_contents(ValueId id) const;
  [[nodiscard]] std::optional<std::vector<double>> real_contents(ValueId id) const;
  /// Operator that makes the value; "" = none does.
  [[nodiscard]] std::string_view source(ValueId id) const;

 private:
  const ModelView* view_;
  NodeId id_;
  const Node* node_;
};

}  // namespace trtcheck
