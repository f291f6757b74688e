// The nodes of a model that a log of TensorRT names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "witness/nodes.hpp"

namespace trtcheck::witness {

struct LogNode {
  std::size_t line = 0;    ///< of the log, counted from 1, where it is named first
  NodeId node;             ///< never none
  WitnessMessage message;  ///< the line; `stage` is ""
};

/// What a line of the parser says of its node: "While parsing node number 12 [Conv -> "out"]", "In node 12 with name:
/// /c/Conv and operator: Conv", "In node 12 (importPad)", "name: "/c/Conv"".
[[nodiscard]] Said said_in(std::string_view line);

/// Each node once, in the order of the log; at most a hundred. Verbose and info lines, and inputs in the parser's print
/// of a node, are passed over.
[[nodiscard]] std::vector<LogNode> nodes_in_log(const Model& model, std::string_view log);

}  // namespace trtcheck::witness
