// Which nodes and values the outputs of a model rest on.
#pragma once

#include <vector>

#include <trtcheck/model.hpp>

#include "simplify/decisions.hpp"

namespace trtcheck::simplifying {

class Needed {
 public:
  /// @param decisions  what is read instead of what; nullptr: the model as it is
  Needed(const Model& model, const Decisions* decisions);

  [[nodiscard]] bool node(NodeId id) const noexcept { return nodes_[id.index]; }
  [[nodiscard]] bool value(ValueId id) const noexcept { return values_[id.index]; }

 private:
  void ask(ValueId value);
  void ask(NodeId node);
  void ask_parts(const Decision& decision);
  void ask_bodies(const Node& node);
  void ask_outputs(GraphId graph);

  const Model* model_;
  const Decisions* decisions_;
  std::vector<bool> nodes_;
  std::vector<bool> values_;
  std::vector<NodeId> waiting_;
};

}  // namespace trtcheck::simplifying
