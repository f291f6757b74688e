// The main graph, or a body, as who cuts it sees it: nodes in a row, and who reads whom.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>

#include "subgraph/uses.hpp"

namespace trtcheck::partitioning {

/// Who asks the parser.
enum class Provider : std::uint8_t { parser, tensorrt, rtx };

/// Positions are those of nodes in the graph.
struct Line {
  std::vector<std::uint32_t> order;                   ///< those that count, each after what it reads
  std::vector<std::vector<std::uint32_t>> followers;  ///< of each position: who reads a result of it
  std::vector<std::string_view> names;                ///< of each position: may be empty, may be shared
};

/// A node that only holds a tensor.
[[nodiscard]] bool is_constant(const Node& node);

/// The parser's order follows inputs upwards from each node in turn (onnx-tensorrt, toposort.hpp). TensorRT's provider
/// in ONNX Runtime sorts nodes that can run next by Shape and Size first, then by their place in the file
/// (graph_viewer.cc, PriorityNodeCompare); a plug-in provider gets them from the last ones upwards (ep_api,
/// ReverseDFSFrom). Constant nodes are initializers there, and no nodes.
[[nodiscard]] Line line_of(const Model& model, const subgraph::Uses& uses, Provider provider);

/// Of a body. What bodies in it read counts as read by the node there that has them.
[[nodiscard]] Line line_of_body(const Model& model, GraphId body, Provider provider);

}  // namespace trtcheck::partitioning
