// What is known of values: their contents where these are the same for every input, and their shapes where these rest
// on nothing but the declared inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "fold/fold.hpp"

namespace trtcheck::simplifying {

/// Larger constants are neither read nor written: they are weights, or tables that are cheaper to compute.
inline constexpr std::int64_t kMostElements = 16'384;

/// Before this IR version an initializer has to be an input, too.
inline constexpr std::int64_t kOwnInitializers = 4;

class Known {
 public:
  /// @param rounds  real numbers may be computed whose last bit depends on who computes them
  Known(const Model& model, const Shapes& shapes, bool rounds);

  [[nodiscard]] const Model& model() const noexcept { return *model_; }
  [[nodiscard]] const Shapes& shapes() const noexcept { return *shapes_; }
  [[nodiscard]] DimTable& dims() const noexcept { return shapes_->dims(); }
  /// Of ONNX, in the graph of the node; 0 = not imported.
  [[nodiscard]] std::int64_t opset(const Node& node) const noexcept { return model_->opset(node.graph).value_or(0); }

  /// Looks at a node. @pre the nodes that it reads were looked at
  void learn(NodeId node);
  /// Contents of a stored constant or of an output of a node that was looked at; nullptr: they differ from run to run,
  /// are too many, or belong to a quantized layer.
  [[nodiscard]] const Constant* contents(ValueId value);
  /// The same as whole numbers.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> ints(ValueId value);
  /// Contents that hold symbols, exact for every size.
  [[nodiscard]] std::optional<std::span<const Dim>> sizes(ValueId value) const;

  /// A tensor whose type, rank and dims are inferred, each dim exact or at least one and the same unknown.
  [[nodiscard]] bool has_shape(ValueId value) const noexcept;
  [[nodiscard]] bool has_type(ValueId value) const noexcept;
  [[nodiscard]] bool are_alike(ValueId a, ValueId b) const noexcept;  ///< proven: one type, one shape
  [[nodiscard]] bool is_read(ValueId value) const noexcept;           ///< by a node, or an output of a graph

 private:
  [[nodiscard]] bool is_stored_small(ValueId value) const;
  [[nodiscard]] bool may_fold(const Node& node) const;
  [[nodiscard]] bool is_settled(ValueId value) const;

  const Model* model_;
  const Shapes* shapes_;
  bool rounds_;
  Folder folder_;
  std::vector<bool> is_folded_;  ///< outputs of nodes with contents
  std::unordered_map<std::uint32_t, std::optional<Constant>> contents_;
};

}  // namespace trtcheck::simplifying
