// The type of what a node with wrong operands computes is a guess: what follows from it is a consequence.
#pragma once

#include <cstdint>
#include <unordered_map>

#include <trtcheck/model.hpp>

namespace trtcheck::rules {

/// To be asked in execution order.
class Roots {
 public:
  [[nodiscard]] bool empty() const noexcept { return roots_.empty(); }

  /// The node that one of its inputs goes back to; none mostly.
  [[nodiscard]] NodeId of(const Node& node) const {
    if (roots_.empty()) return {};
    for (const ValueId input : node.inputs) {
      const auto it = input ? roots_.find(input.index) : roots_.end();
      if (it != roots_.end()) return it->second;
    }
    return {};
  }

  /// A Cast makes a type that is known again.
  void hand_on(const Node& node, NodeId root) {
    if (!root || node.op_type == "Cast" || node.op_type == "Shape") return;
    for (const ValueId output : node.outputs) {
      if (output) roots_.emplace(output.index, root);
    }
  }

 private:
  std::unordered_map<std::uint32_t, NodeId> roots_;
};

}  // namespace trtcheck::rules
