// What of a model lies before some of its tensors, up to a cut.
#pragma once

#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck::subgraph {

/// An input of the model that is not part of the cut, though somebody needs it.
struct Missing {
  ValueId input;
  ValueId output;  ///< that needs it
};

/// Walks up from outputs. What a body reads of the graphs around it counts as read by the node that has the body.
class Reached {
 public:
  /// @param cut  per value: the walk ends there
  Reached(const Model& model, const std::vector<ValueId>& outputs, const std::vector<bool>& cut);

  /// Of the main graph: it is needed.
  [[nodiscard]] bool node(NodeId id) const noexcept { return nodes_[id.index]; }
  /// It is read by what is needed, or is an output.
  [[nodiscard]] bool value(ValueId id) const noexcept { return values_[id.index]; }
  /// Each input once.
  [[nodiscard]] const std::vector<Missing>& missing() const noexcept { return missing_; }
  /// Values that nothing makes.
  [[nodiscard]] const std::vector<Missing>& undefined() const noexcept { return undefined_; }

 private:
  void ask(ValueId id);
  void ask_inputs(NodeId id);
  void ask_body(GraphId id);

  const Model* model_;
  const std::vector<bool>* cut_;
  std::vector<bool> nodes_;
  std::vector<bool> values_;
  std::vector<NodeId> waiting_;
  ValueId output_;
  std::vector<Missing> missing_;
  std::vector<Missing> undefined_;
};

/// Per graph: the node of the main graph in whose bodies or calls it lies; none: it is the main graph, or the
/// definition of a function, or lies in one.
[[nodiscard]] std::vector<NodeId> outermost_nodes(const Model& model);

}  // namespace trtcheck::subgraph
