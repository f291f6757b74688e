// Words and tables that the text and the page say alike.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/partition.hpp>

namespace trtcheck::partitioning {

/// "2 engines with 118 of 120 nodes, 99.8% of the multiply-accumulates".
[[nodiscard]] std::string outcome_text(const PartitionOutcome& outcome, std::size_t nodes);
/// "34.5%"; "?" = it is not known.
[[nodiscard]] std::string share_text(const std::optional<double>& share);
/// "3 Conv, 2 Relu, ...".
[[nodiscard]] std::string operators_text(const GraphPiece& piece, std::size_t most);
/// Of the node: "Pad `p1` (net.py:12)".
[[nodiscard]] std::string node_text(const RefusedNode& node);
/// Python that gives the options to ONNX Runtime, a line each; empty = there are none.
[[nodiscard]] std::vector<std::string> options_lines(const PartitionReport& report);
/// Who cuts: "TensorRT 10.13 in ONNX Runtime (TensorrtExecutionProvider)".
[[nodiscard]] std::string who_text(const PartitionReport& report);

[[nodiscard]] std::string html_of(const PartitionReport& report);
[[nodiscard]] std::string json_of(const PartitionReport& report);

}  // namespace trtcheck::partitioning
