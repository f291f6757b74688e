// Nodes that TensorRT drops before it builds.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "rules/rule_context.hpp"
#include "view/unused.hpp"

namespace trtcheck::rules {

/// Nodes whose results nothing uses, and what stands in their bodies.
class DeadNodes {
 public:
  explicit DeadNodes(const Model& model) : model_(&model) {
    for (const NodeId each : unused(model).nodes) dead_.insert(each.index);
  }
  [[nodiscard]] bool contains(NodeId id) const {
    for (; id; id = model_->graph(model_->node(id).graph).parent) {
      if (dead_.contains(id.index)) return true;
    }
    return false;
  }

 private:
  const Model* model_;
  std::unordered_set<std::uint32_t> dead_;
};

}  // namespace trtcheck::rules
