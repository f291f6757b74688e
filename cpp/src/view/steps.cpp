#include "view/steps.hpp"

#include <algorithm>
#include <cstdint>

#include "model/attributes.hpp"

namespace trtcheck {

Steps steps_of(const Model& model, const Node& node) {
  const bool is_loop = node.op_type == "Loop";
  const Attribute* body = is_loop || node.op_type == "Scan" ? node.attribute("body") : nullptr;
  if (body == nullptr || !body->g()) return {};
  const Graph& graph = model.graph(body->g());
  const std::int64_t scanned = is_loop ? 2 : std::max<std::int64_t>(int_attribute(node, "num_scan_inputs", 0), 0);
  const std::size_t others = std::min(static_cast<std::size_t>(scanned), node.inputs.size());
  const std::size_t control = is_loop ? 2 : 0;
  return {&graph, control, control / 2, node.inputs.size() - others, node.inputs.size() == graph.inputs.size()};
}

}  // namespace trtcheck
