// What a model holds and nothing uses.
#pragma once

#include <cstddef>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck {

/// In the order of the model.
struct Unused {
  std::vector<NodeId> nodes;           ///< no output of the graph needs them; what is in their bodies is not listed
  std::vector<ValueId> inputs;         ///< of the main graph, that the caller has to feed
  std::vector<ValueId> initializers;   ///< also those that only such nodes read
  std::vector<std::size_t> functions;  ///< of Model::functions(): no node calls them, nor a function that is called

  [[nodiscard]] bool empty() const noexcept {
    return nodes.empty() && inputs.empty() && initializers.empty() && functions.empty();
  }
};

/// A node without any output is taken for used. Definitions of functions are looked at once, calls of them not.
[[nodiscard]] Unused unused(const Model& model);

}  // namespace trtcheck
