// What a Loop or Scan hands from one step to the next.
#pragma once

#include <cstddef>

#include <trtcheck/model.hpp>

namespace trtcheck {

/// A Loop or Scan: which of its values are handed from one step to the next. Carried value k is output k of the node,
/// input k + `control` of node and body, and output k + `decides` of the body.
struct Steps {
  const Graph* body = nullptr;  ///< none: the node is something else
  std::size_t control = 0;      ///< inputs in front: how often, and whether
  std::size_t decides = 0;      ///< outputs in front: whether there is another step
  std::size_t carried = 0;
  bool fits = true;  ///< node and body have as many inputs; not so in opset 8 of Scan
};

[[nodiscard]] Steps steps_of(const Model& model, const Node& node);

}  // namespace trtcheck
