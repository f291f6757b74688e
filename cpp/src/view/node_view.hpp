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
  const Target& target;  ///< but for its release
  ReleaseView release;   ///< what may be asked of that
  const TensorView& tensors;
  Operators operators;
  ParserView parser;
  bool is_quantized;  ///< something dequantizes
  bool read_weights;  ///< the user wants weights to be looked at, whatever the precision
  Measured measured;

  /// @param nodes  those that are asked about
  /// @param releases  that run these nodes, none: that of the target alone
  ModelView(const Model& m, const Shapes& s, const Target& t, const TensorView& constants,
            std::span<const NodeId> nodes, const NumberSources& numbers = {}, std::span<const TrtVersion> releases = {})
      : model(m),
        shapes(s),
        target(t),
        release(releases.empty() ? t.release : releases.front()),
        tensors(constants),
        operators(m, t, releases.empty() ? std::span(&t.release, 1) : releases, nodes),
        parser(m, s, release),
        is_quantized(operators.has("DequantizeLinear")),
        read_weights(numbers.read_weights),
        measured(m, numbers.ranges),
        nodes_(nodes) {}
  ModelView(const ModelView&) = delete;
  ModelView& operator=(const ModelView&) = delete;

  /// Who imports the node. Asks::operators
  [[nodiscard]] Handler handler(NodeId node) const {
    release.require(Asks::operators);
    return operators.handler(node);
  }
  /// Of an operator, by its place in `operators`. Asks::operators
  [[nodiscard]] Handler handler_of(std::size_t index) const {
    release.require(Asks::operators);
    return operators.handler_of(index);
  }
  /// Of some node. Asks::operators
  [[nodiscard]] bool has(Handler handler) const {
    release.require(Asks::operators);
    return operators.has(handler);
  }
  /// Whether the release has an importer of that name. Asks::operators
  [[nodiscard]] Support support(NodeId node) const {
    release.require(Asks::operators);
    return operators.support(node).support;
  }
  /// All that its tables say of the operator. Asks::release
  [[nodiscard]] const OpSupport& tables(NodeId node) const {
    release.require(Asks::release);
    return operators.support(node);
  }
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
